import { isUuid } from '../../database/uuid.ts';
import { fieldErrors } from '../../refusals/refusal.ts';

/** The place of a row in a list that is sorted by a time and an id. Null is a time after all others. */
export interface TimeCursor {
  /** Since 1970, as PostgreSQL stores it: a row is neither repeated nor skipped by rounding. */
  micros: number | null;
  id: string;
}

const LATEST = 'z';
const MOST_DIGITS = 16; // the year 2286; more digits are no longer exact in a number

export const writeTimeCursor = ({ micros, id }: TimeCursor): string => `${micros ?? LATEST}.${id}`;

/** Refuses a cursor that no response contained. */
export function readTimeCursor(text: string, path: string): TimeCursor {
  const [time = '', id = '', ...rest] = text.split('.');
  const isTime = time === LATEST || (/^-?\d+$/.test(time) && time.length <= MOST_DIGITS);
  if (!isTime || !isUuid(id) || rest.length > 0) refuseCursor(path);
  return { micros: time === LATEST ? null : Number(time), id };
}

/** The place of a driver: those who are not available come later, then by name. */
export interface DriverCursor {
  isAway: boolean;
  firstName: string;
  lastName: string;
  id: string;
}

export const writeDriverCursor = ({ isAway, firstName, lastName, id }: DriverCursor): string =>
  Buffer.from(JSON.stringify([isAway, firstName, lastName, id])).toString('base64url');

export function readDriverCursor(text: string, path: string): DriverCursor {
  const values = parse(Buffer.from(text, 'base64url').toString());
  if (!Array.isArray(values) || values.length !== 4) return refuseCursor(path);
  const [isAway, firstName, lastName, id] = values as unknown[];
  if (typeof isAway !== 'boolean' || !isName(firstName) || !isName(lastName)) return refuseCursor(path);
  if (typeof id !== 'string' || !isUuid(id)) return refuseCursor(path);
  return { isAway, firstName, lastName, id };
}

/** PostgreSQL stores no NUL. */
const isName = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function refuseCursor(path: string): never {
  throw fieldErrors([{ type: 'field', msg: 'Curseur inconnu.', path, location: 'query' }]);
}
