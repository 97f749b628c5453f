import type { ShipmentFilters } from '@navette/contract';
import type pg from 'pg';
import { walkShipments } from './find-shipments.ts';
import { readLines } from './list-shipments.ts';

const MOST_WINDOWS = 100; // a filter that finds few among very many is to be narrowed by date

/** Ids of all that match, in the order of the list; null when there are more than so many, or they are too far apart. */
export async function findMatchingIds(
  pool: pg.Pool,
  accountId: string,
  filters: ShipmentFilters,
  timeZone: string,
  most: number,
): Promise<string[] | null> {
  const ids: string[] = [];
  let windows = 0;
  const walk = walkShipments(pool, accountId, filters, { timeZone, cursor: null }, readLines(pool, accountId));
  for await (const { found, next } of walk) {
    ids.push(...found.map(({ row }) => row.id));
    if (ids.length > most || (next && ++windows === MOST_WINDOWS)) return null;
  }
  return ids;
}
