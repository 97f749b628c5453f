import { fieldErrors } from '../../refusals/refusal.ts';
import { MEMBER_SEARCH_FIELDS } from './search-key.ts';

/**
 * The position of the last shipment read: its number; in a search, field, key and number; by delivery, the promised time in
 * microseconds and the number.
 */
export type Cursor =
  | { number: number }
  | { field: number; key: string; number: number }
  | { due: number; number: number };

export const writeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

export function readCursor(text: string): Cursor {
  const cursor = parse(text);
  const { number, field, key, due } = cursor;
  if (Number.isSafeInteger(number)) {
    if (Number.isSafeInteger(due)) return { due: due as number, number: number as number };
    if (field === undefined && key === undefined) return { number: number as number };
    if (typeof field === 'number' && MEMBER_SEARCH_FIELDS[field] && typeof key === 'string' && !key.includes('\0')) {
      return { field, key, number: number as number };
    }
  }
  throw fieldErrors([
    { type: 'field', msg: 'Curseur inconnu : reprenez nextCursor tel quel.', path: 'cursor', location: 'query' },
  ]);
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(text, 'base64url').toString())) as Record<string, unknown>;
  } catch {
    return {};
  }
}
