import { sql } from 'kysely';
import { LOGS_KEPT_DAYS } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { daysAfter, startOfDay } from '../../database/partitions.ts';
import { FIRST_ID, firstIdAt } from '../../database/uuid.ts';

const BATCH = 2_000; // events, so that no statement holds locks for long

/**
 * Ends the bodies of events of days whose webhook deliveries are dropped: from then on nobody sends them. The rows stay.
 * Each batch commits with its position, so a run that is killed continues there; a night with nothing to do reads one index
 * entry per account.
 */
export async function endEventBodies(db: Database, now: Date): Promise<number> {
  const before = firstIdAt(startOfDay(daysAfter(now, -LOGS_KEPT_DAYS)));
  let ended = 0;
  for (const accountId of await findDueAccounts(db, before)) {
    for (let events = BATCH; events === BATCH; ended += events) events = await endBatch(db, accountId, before);
  }
  return ended;
}

async function findDueAccounts(db: Database, before: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from accounts a left join event_body_cursors c on c.account_id = a.id
    cross join lateral (
      select from events e
      where e.account_id = a.id and e.id > coalesce(c.position, ${FIRST_ID}::uuid) and e.id < ${before}::uuid
      order by e.id limit 1) next
    where a.moved_to is null order by a.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the number of events that it has passed, below BATCH when none is left. */
async function endBatch(db: Database, accountId: string, before: string): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    with batch as materialized (
      select id from events
      where account_id = ${accountId} and id < ${before}::uuid
        and id > coalesce((select position from event_body_cursors where account_id = ${accountId}), ${FIRST_ID}::uuid)
      order by id limit ${BATCH}
    ), ended as (
      update events e set body = null from batch
      where e.account_id = ${accountId} and e.id = batch.id and e.body is not null
    ), moved as (
      insert into event_body_cursors (account_id, position)
      select ${accountId}::uuid, id from batch order by id desc limit 1
      on conflict (account_id) do update set position = excluded.position
    )
    select count(*) as events from batch`.execute(db);
  return rows[0]?.events ?? 0;
}
