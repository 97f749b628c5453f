import type { ShipmentFilters } from '@navette/contract';
import type pg from 'pg';
import { type ListTime, walkShipments } from './find-shipments.ts';
import { readLines, readTime } from './list-shipment-lines.ts';

const MOST_WINDOWS = 100; // of candidates; a filter that matches few of very many shipments must be narrowed by date

/** Ids of all matching shipments with a label, in list order; null when there are more than `most` or the matches are too sparse. */
export async function findPrintableIds(
  pool: pg.Pool,
  accountId: string,
  filters: ShipmentFilters,
  { timeZone, now }: ListTime,
  most: number,
): Promise<string[] | null> {
  const ids: string[] = [];
  let windows = 0;
  const walk = walkShipments(
    pool,
    accountId,
    filters,
    { timeZone, now: await readTime(pool, accountId, now), cursor: null },
    readLines(pool, accountId),
  );
  for await (const { found, next } of walk) {
    ids.push(...found.filter(({ row }) => row.erasedAt === null).map(({ row }) => row.id));
    if (ids.length > most || (next && ++windows === MOST_WINDOWS)) return null;
  }
  return ids;
}
