import { sql } from 'kysely';
import { LOGS_KEPT_DAYS } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { firstIdAt } from '../../database/uuid.ts';

const BATCH = 10_000; // rows, so that no statement exceeds its time limit or holds locks for long

/** Deletes deliveries and attempts of old events. Event ids sort by time, so each account's oldest rows come first. */
export async function purgeWebhookDeliveries(db: Database, now: Date): Promise<number> {
  const oldestKept = firstIdAt(new Date(now.getTime() - LOGS_KEPT_DAYS * 86_400_000));
  let purged = 0;
  for (const table of ['webhook_attempts', 'webhook_deliveries'].map((name) => sql.table(name))) {
    for (let deleted = BATCH; deleted === BATCH; purged += deleted) {
      const { numAffectedRows } = await sql`
        delete from ${table} where ctid = any(array(
          select old.ctid from accounts a
          cross join lateral (
            select ctid from ${table} t where t.account_id = a.id and t.event_id < ${oldestKept}::uuid
            order by t.event_id limit ${BATCH}
          ) old
          limit ${BATCH}))
      `.execute(db);
      deleted = Number(numAffectedRows ?? 0);
    }
  }
  return purged;
}
