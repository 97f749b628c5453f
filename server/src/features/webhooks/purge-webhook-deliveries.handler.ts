import { sql } from 'kysely';
import { LOGS_KEPT_DAYS } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { firstIdAt } from '../../database/uuid.ts';

const BATCH = 10_000; // rows, so that no statement exceeds its time limit or holds locks for long

/** Each table with the column that dates its rows: an id, or an instant. */
const TABLES = [
  ['webhook_attempts', 'event_id'],
  ['webhook_deliveries', 'event_id'],
  ['webhook_resent_events', 'resend_id'],
  ['webhook_resends', 'id'],
  ['webhook_hours', 'hour'],
] as const;

/**
 * Deletes deliveries and attempts of old events, old requests to send events again, and counts of old hours. Ids sort by
 * time, so each account's oldest rows come first.
 */
export async function purgeWebhookDeliveries(db: Database, now: Date): Promise<number> {
  const keptSince = new Date(now.getTime() - LOGS_KEPT_DAYS * 86_400_000);
  let purged = 0;
  for (const [name, column] of TABLES) {
    const table = sql.table(name);
    const isOld =
      column === 'hour' ? sql`t.hour < ${keptSince}` : sql`${sql.ref(`t.${column}`)} < ${firstIdAt(keptSince)}::uuid`;
    for (let deleted = BATCH; deleted === BATCH; purged += deleted) {
      const { numAffectedRows } = await sql`
        delete from ${table} where ctid = any(array(
          select old.ctid from accounts a
          cross join lateral (
            select ctid from ${table} t where t.account_id = a.id and ${isOld}
            order by ${sql.ref(`t.${column}`)} limit ${BATCH}
          ) old
          limit ${BATCH}))
      `.execute(db);
      deleted = Number(numAffectedRows ?? 0);
    }
  }
  return purged;
}
