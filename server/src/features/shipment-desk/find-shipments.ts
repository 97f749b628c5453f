import type { ShipmentFilters, ShipmentStatus } from '@navette/contract';
import type pg from 'pg';
import { findRange } from '../shipments/index.ts';
import { findCandidates, type Source } from './candidates.ts';
import { keysOf, SEARCH_FIELDS, type Searchable, searchKey } from './search-key.ts';
import type { Cursor } from './shipment-cursor.ts';

/** What of a found shipment says whether it is wanted. */
export interface Judged extends Searchable {
  number: number;
  status: ShipmentStatus;
  isCollection: boolean;
  groupReference: string | null;
}

/** Reads these shipments of the account, by number, in any order; each list reads the columns that it shows. */
export type ReadNumbers<Row extends Judged> = (numbers: number[]) => Promise<Row[]>;

export interface Batch<Row> {
  found: { row: Row; at: Cursor }[];
  /** Where the list goes on; null at its end. */
  next: Cursor | null;
}

const WINDOW = 1_000; // candidates that are judged at once

/**
 * The shipments that match, batch by batch: candidates come from the one index that serves best, the other conditions
 * are judged on what was read. A batch may therefore hold few, or none, and the list still go on.
 */
export async function* walkShipments<Row extends Judged>(
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
      return row && isWanted(row, candidate, filters, source) ? [{ row, at: candidate }] : [];
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
): Promise<Source> {
  const { from, to } = filters;
  return {
    search: searchKey(filters.search ?? ''),
    statuses: statusesOf(filters),
    groupReference: filters.groupReference ?? null,
    collectionsOnly: filters.kind === 'collection',
    range: await findRange(pool, accountId, { ...(from ? { from } : {}), ...(to ? { to } : {}) }, timeZone),
  };
}

const statusesOf = ({ status }: ShipmentFilters) => [...new Set(status?.split(','))] as ShipmentStatus[];

function isWanted(row: Judged, candidate: Cursor, filters: ShipmentFilters, { range, search, statuses }: Source) {
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

/** A shipment can be found by several of its keys; it is shown for the first. */
function isFirstMatch(row: Judged, candidate: Cursor, search: string): boolean {
  if (!('key' in candidate)) return true;
  const first = keysOf(row).find(([, key]) => key.startsWith(search));
  return first !== undefined && first[1] === candidate.key && SEARCH_FIELDS.indexOf(first[0]) === candidate.field;
}
