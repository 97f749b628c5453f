import { SHIPMENT_STATUSES, type ShipmentStatus } from '@navette/contract';
import type pg from 'pg';
import { MEMBER_SEARCH_FIELDS } from './search-key.ts';
import type { Cursor } from './shipment-cursor.ts';

/** The conditions that an index serves. All other conditions are checked on each shipment. */
export interface CandidateSource {
  /** Normalised like a search key; empty when there is no search. */
  search: string;
  statuses: ShipmentStatus[];
  groupReference: string | null;
  collectionsOnly: boolean;
  oldestFirst: boolean;
  delivery: DeliveryRange | null;
  /** Numbers from `lowest` (inclusive) to `above` (exclusive). */
  range: { lowest: number; above: number };
}

/** Promised times from `from` (inclusive) to `until` (exclusive), in microseconds, and in their order. */
export interface DeliveryRange {
  from: number;
  until: number;
  latestFirst: boolean;
}

/**
 * The next shipments of a source after the cursor, each as the cursor from which a list can continue. Every statement
 * reads the next rows of one index, so a page costs the same at any depth and in any account.
 */
export async function findCandidates(
  pool: pg.Pool,
  accountId: string,
  source: CandidateSource,
  cursor: Cursor | null,
  most: number,
): Promise<Cursor[]> {
  if (source.search) return findByKey(pool, accountId, source.search, cursor, most);
  if (source.delivery && source.groupReference === null) {
    return findByDelivery(pool, accountId, source.statuses, source.delivery, cursor, most);
  }
  const { range, oldestFirst } = source;
  const lowest = cursor && oldestFirst ? Math.max(cursor.number + 1, range.lowest) : range.lowest;
  const above = cursor && !oldestFirst ? Math.min(cursor.number, range.above) : range.above;
  const { text, name, values } = inNumberOrder(source);
  const { rows } = await pool.query<{ number: number }>({
    name: `candidates-${name}${oldestFirst ? '-oldest' : ''}`,
    text,
    values: [accountId, lowest, above, most, ...values],
  });
  return rows;
}

const IN_RANGE = 'from shipments s where s.account_id = $1 and s.number >= $2 and s.number < $3';

function inNumberOrder({ statuses, groupReference, collectionsOnly, oldestFirst }: CandidateSource) {
  const direction = oldestFirst ? 'asc' : 'desc';
  const next = `order by s.number ${direction} limit $4`;
  if (groupReference !== null) {
    return {
      name: 'group',
      text: `select s.number ${IN_RANGE} and s.group_reference = $5 ${next}`,
      values: [groupReference],
    };
  }
  if (statuses.length > 0) {
    // The next of each status, then the next of those: a rare status does not cause a scan of the others.
    const text = `
      select found.number from unnest($5::text[]) as wanted (status)
      cross join lateral (select s.number ${IN_RANGE} and s.status = wanted.status ${next}) as found
      order by found.number ${direction} limit $4`;
    return { name: 'status', text, values: [statuses] };
  }
  const kind = collectionsOnly ? 'and s.is_collection' : '';
  return {
    name: collectionsOnly ? 'collections' : 'all',
    text: `select s.number ${IN_RANGE} ${kind} ${next}`,
    values: [],
  };
}

const DUE = 'coalesce(s.estimated_delivery_at, s.created_at)';
const instant = (parameter: string) => `timestamptz 'epoch' + ${parameter} * interval '1 microsecond'`;

/** The next of each status by promised delivery, then the next of those. */
async function findByDelivery(
  pool: pg.Pool,
  accountId: string,
  statuses: ShipmentStatus[],
  { from, until, latestFirst }: DeliveryRange,
  cursor: Cursor | null,
  most: number,
): Promise<Cursor[]> {
  const start = cursor && 'due' in cursor ? cursor : { due: latestFirst ? until : from, number: 0 };
  const [after, within, direction, end] = latestFirst ? ['<', '>=', 'desc', from] : ['>', '<', 'asc', until];
  const { rows } = await pool.query<{ due: number; number: number }>({
    name: `candidates-delivery-${direction}`,
    text: `
      select (extract(epoch from found.due) * 1000000)::bigint as due, found.number
      from unnest($2::text[]) as wanted (status) cross join lateral (
        select ${DUE} as due, s.number from shipments s
        where s.account_id = $1 and s.status = wanted.status
          and (${DUE}, s.number) ${after} (${instant('$3::float8')}, $4::bigint) and ${DUE} ${within} ${instant('$5::float8')}
        order by ${DUE} ${direction}, s.number ${direction} limit $6) as found
      order by found.due ${direction}, found.number ${direction} limit $6`,
    values: [accountId, statuses.length > 0 ? statuses : SHIPMENT_STATUSES, start.due, start.number, end, most],
  });
  return rows;
}

const LAST_CHARACTER = '\u{10FFFF}';

/** Searches field by field. Within a field rows are in key order, so exact matches come first, then newest first. */
async function findByKey(
  pool: pg.Pool,
  accountId: string,
  search: string,
  cursor: Cursor | null,
  most: number,
): Promise<Cursor[]> {
  const start = cursor && 'key' in cursor ? cursor : { field: 0, key: search, number: Number.MAX_SAFE_INTEGER };
  const found: Cursor[] = [];
  for (let field = start.field; field < MEMBER_SEARCH_FIELDS.length && found.length < most; field++) {
    const after = field === start.field ? start : { key: search, number: Number.MAX_SAFE_INTEGER };
    const { rows } = await pool.query<{ field: number; key: string; number: number }>({
      name: 'candidates-by-key',
      text: `
        select k.field, k.key, -k.newest_first as number from shipment_keys k
        where k.account_id = $1 and k.field = $2 and (k.key, k.newest_first) > ($3, $4) and k.key < $5
        order by k.key, k.newest_first limit $6`,
      values: [accountId, field, after.key, -after.number, search + LAST_CHARACTER, most - found.length],
    });
    found.push(...rows);
  }
  return found;
}
