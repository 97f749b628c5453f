import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { isUuid } from '../database/uuid.ts';
import { UsageError } from './failure.ts';

type Fields = Record<string, unknown>;

/** Reads a JSON object from a file, or from standard input when the name is `-`. */
export async function readJsonInput(file: string): Promise<Fields> {
  const value = await readJson(file);
  if (isObject(value)) return value;
  throw new UsageError(`${nameOf(file)} must contain one JSON object`);
}

/** Reads a JSON object or a list of objects. */
export async function readJsonInputs(file: string): Promise<Fields | Fields[]> {
  const value = await readJson(file);
  if (isObject(value) || (Array.isArray(value) && value.every(isObject))) return value;
  throw new UsageError(`${nameOf(file)} must contain a JSON object or a list of JSON objects`);
}

const nameOf = (file: string) => (file === '-' ? 'standard input' : file);
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function readJson(file: string): Promise<unknown> {
  const source = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8').catch(() => null);
  if (source === null) throw new UsageError(`cannot read ${file}`);
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new UsageError(`${nameOf(file)} is not JSON: ${(error as Error).message}`);
  }
  if (JSON.stringify(value).includes('\\u0000')) throw new UsageError('the input contains a NUL character');
  return value;
}

/** The value of `--month`, if it was given. */
export async function readMonth(value: string | undefined): Promise<string | undefined> {
  const { isMonth } = await import('../calendar/local-calendar.ts');
  if (value !== undefined && !isMonth(value)) throw new UsageError('--month must be a month such as 2030-05');
  return value;
}

export function readId(value: string, shownBy = 'account list'): string {
  if (!isUuid(value)) throw new UsageError(`"${value}" is not an id; \`navette ${shownBy}\` shows them`);
  return value.toLowerCase();
}

const MAX_CENTS = 1_000_000_000_00; // a payment above a billion EUR is a typing mistake

/** Reads the option --amount, in EUR. */
export async function readAmountInCents(amount: string): Promise<number> {
  const { toCents } = await import('../features/ledger/index.ts');
  const cents = /^-?\d+(\.\d{1,2})?$/.test(amount) ? toCents(Number(amount)) : null;
  if (!cents || Math.abs(cents) > MAX_CENTS) throw new UsageError('--amount must be EUR such as 50.00, and not zero');
  return cents;
}

export function readInstant(value: string): Date {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new UsageError(`"${value}" is not a date such as 2030-01-31T12:00:00Z`);
  return date;
}

export function readOneOf<const V extends readonly string[]>(name: string, values: V, given: string): V[number] {
  const found = values.find((value) => value === given);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${values.join(', ')}`);
  return found;
}
