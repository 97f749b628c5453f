import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { daysAfter } from '../../database/partitions.ts';
import { FIRST_ID, firstIdAt } from '../../database/uuid.ts';
import type { DecisionKind } from './decisions.ts';

/** After the end of a shipment. Longer than any complaint about who was offered a run. */
const SEARCHES_KEPT_DAYS = 90;
const BATCH = 500; // shipments per transaction

/** Decisions of the search itself. Those of people and the assignments stay: the audit and the shipment's page need them. */
const OF_SEARCH: readonly DecisionKind[] = [
  'started',
  'considered',
  'nobody left',
  'needs location',
  'geocoder away',
  'positions unknown',
  'offers stopped',
  'stopped',
];

/**
 * Replaces searches, offers and decisions of the search by one row for each shipment that ended long ago. A search that
 * exists is one that is not summarised, so the oldest ones are found by index, whatever was summarised before. Each batch
 * commits separately: after a crash, the next run continues.
 */
export async function summariseDispatch(db: Database, now: Date): Promise<number> {
  const before = daysAfter(now, -SEARCHES_KEPT_DAYS);
  let summarised = 0;
  for (const accountId of await findDueAccounts(db, before)) {
    for (let after: string | null = FIRST_ID; after !== null; ) {
      const batch: string[] = await readSearched(db, accountId, after, before);
      summarised += await db.transaction().execute((tx) => summariseEnded(tx, accountId, batch, before));
      after = batch.length === BATCH ? (batch.at(-1) ?? null) : null;
    }
  }
  return summarised;
}

/** A shipment that was created later cannot have ended before. */
async function findDueAccounts(db: Database, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from accounts a
    cross join lateral (
      select from driver_searches q
      where q.account_id = a.id and q.shipment_id < ${firstIdAt(before)}::uuid
      order by q.shipment_id limit 1) oldest
    where a.moved_to is null order by a.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The next shipments with searches, in the order of the index. */
async function readSearched(db: Database, accountId: string, after: string, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct shipment_id as id from driver_searches
    where account_id = ${accountId} and shipment_id > ${after}::uuid and shipment_id < ${firstIdAt(before)}::uuid
    order by 1 limit ${BATCH}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those that never ended, or ended later, are passed over. */
async function summariseEnded(tx: Tx, accountId: string, shipmentIds: string[], before: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select s.id from shipments s
    where s.account_id = ${accountId} and s.id = any(${shipmentIds}::uuid[]) and s.updated_at < ${before}
      and (s.status in ('delivered', 'cancelled') or s.returned_at is not null)
    order by s.id for update skip locked`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const ofThese = sql`account_id = ${accountId} and shipment_id = any(${ids}::uuid[])`;
  await sql`
    insert into dispatch_summaries (account_id, shipment_id, searches, started_at, offers, refused, expired, withdrawn)
    select q.account_id, q.shipment_id, q.searches, q.started_at, coalesce(o.offers, 0), coalesce(o.refused, 0),
      coalesce(o.expired, 0), coalesce(o.withdrawn, 0)
    from (
      select account_id, shipment_id, count(*) as searches, min(started_at) as started_at
      from driver_searches where ${ofThese} group by 1, 2) q
    left join (
      select shipment_id, count(*) as offers, count(*) filter (where answer = 'refused') as refused,
        count(*) filter (where answer = 'expired') as expired, count(*) filter (where answer = 'withdrawn') as withdrawn
      from driver_offers where ${ofThese} group by 1) o using (shipment_id)`.execute(tx);
  await sql`delete from dispatch_decisions where ${ofThese} and kind = any(${OF_SEARCH})`.execute(tx);
  await sql`update dispatch_decisions set search_id = null where ${ofThese} and search_id is not null`.execute(tx);
  await sql`delete from driver_offers where ${ofThese}`.execute(tx);
  await sql`delete from driver_searches where ${ofThese}`.execute(tx);
  return ids.length;
}
