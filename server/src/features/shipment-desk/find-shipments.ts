import type { ShipmentFilters, ShipmentStatus } from '@navette/contract';
import type pg from 'pg';
import { normalizeText } from '../../text/normalize-text.ts';
import { findRange } from '../shipments/index.ts';
import { keysOf, SEARCH_FIELDS, type Searchable } from './search-key.ts';
import { type CandidateSource, findCandidates } from './shipment-candidates.ts';
import type { Cursor } from './shipment-cursor.ts';

/** The columns that filters are checked on. */
export interface FilterableRow extends Omit<Searchable, 'phoneNumber'> {
  number: number;
  status: ShipmentStatus;
  isCollection: boolean;
  groupReference: string | null;
}

/** Reads shipments of the account by number, in any order. Each list reads the columns that it shows. */
export type ReadNumbers<Row extends FilterableRow> = (numbers: number[]) => Promise<Row[]>;

export interface Batch<Row> {
  found: { row: Row; at: Cursor }[];
  /** Where the list continues; null at its end. */
  next: Cursor | null;
}

const WINDOW = 1_000; // candidates read and filtered at a time

/**
 * The matching shipments, batch by batch. Candidates come from the most selective index; the other conditions are
 * checked on the rows read. A batch may therefore contain few matches, or none, although the list continues.
 */
export async function* walkShipments<Row extends FilterableRow>(
  pool: pg.Pool,
  accountId: string,
  filters: ShipmentFilters,
  options: { timeZone: string; cursor: Cursor | null; window?: number },
  read: ReadNumbers<Row>,
): AsyncGenerator<Batch<Row>> {
  const source = await chooseSource(pool, accountId, filters, options.timeZone);
  const most = options.window ?? WINDOW;
  let cursor: Cursor | null = options.cursor;
  do {
    const candidates: Cursor[] = await findCandidates(pool, accountId, source, cursor, most);
    const rows = await read(candidates.map(({ number }) => number));
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    const found = candidates.flatMap((candidate) => {
      const row = byNumber.get(candidate.number);
      return row && matches(row, candidate, filters, source) ? [{ row, at: candidate }] : [];
    });
    cursor = candidates.length === most ? (candidates.at(-1) ?? null) : null;
    yield { found, next: cursor };
  } while (cursor);
}

async function chooseSource(
  pool: pg.Pool,
  accountId: string,
  filters: ShipmentFilters,
  timeZone: string,
): Promise<CandidateSource> {
  const { from, to } = filters;
  return {
    search: normalizeText(filters.search ?? ''),
    statuses: statusesOf(filters),
    groupReference: filters.groupReference ?? null,
    collectionsOnly: filters.kind === 'collection',
    range: await findRange(pool, accountId, { ...(from ? { from } : {}), ...(to ? { to } : {}) }, timeZone),
  };
}

const statusesOf = ({ status }: ShipmentFilters) => [...new Set(status?.split(','))] as ShipmentStatus[];

function matches(
  row: FilterableRow,
  candidate: Cursor,
  filters: ShipmentFilters,
  { range, search, statuses }: CandidateSource,
) {
  const { kind, groupReference } = filters;
  return (
    (statuses.length === 0 || statuses.includes(row.status)) &&
    (groupReference === undefined || row.groupReference === groupReference) &&
    (kind === undefined || row.isCollection === (kind === 'collection')) &&
    row.number >= range.lowest &&
    row.number < range.above &&
    isFirstMatch(row, candidate, search)
  );
}

/** A search may match several keys of a shipment; the list shows it only for the first. */
function isFirstMatch(row: FilterableRow, candidate: Cursor, search: string): boolean {
  if (!('key' in candidate)) return true;
  const first = keysOf({ ...row, phoneNumber: '' }).find(([, key]) => key.startsWith(search));
  return first !== undefined && first[1] === candidate.key && SEARCH_FIELDS.indexOf(first[0]) === candidate.field;
}
