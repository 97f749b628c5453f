import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { firstIdAt } from '../../uuid.ts';

const KEPT_DAYS = 30; // long enough to find out why an event was missed
const DELETED_TOGETHER = 10_000; // so that no statement runs into its time limit or holds locks for long

/** Forgets deliveries and attempts of old events: of each account, the first part of the primary key. */
export async function purgeWebhookDeliveries(db: Database, now: Date): Promise<number> {
  const oldestKept = firstIdAt(new Date(now.getTime() - KEPT_DAYS * 86_400_000));
  let purged = 0;
  for (const table of ['webhook_attempts', 'webhook_deliveries'].map((name) => sql.table(name))) {
    for (let deleted = DELETED_TOGETHER; deleted === DELETED_TOGETHER; purged += deleted) {
      const { numAffectedRows } = await sql`
        delete from ${table} where ctid = any(array(
          select old.ctid from accounts a
          cross join lateral (
            select ctid from ${table} t where t.account_id = a.id and t.event_id < ${oldestKept}::uuid
            order by t.event_id limit ${DELETED_TOGETHER}
          ) old
          limit ${DELETED_TOGETHER}))
      `.execute(db);
      deleted = Number(numAffectedRows ?? 0);
    }
  }
  return purged;
}
