import { type RawBuilder, sql } from 'kysely';
import { LOGS_KEPT_DAYS } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { dropPartitions, earlierPart, isPartitioned } from '../../database/partitions.ts';
import { firstIdAt } from '../../database/uuid.ts';

const BATCH = 10_000; // rows, so that no statement holds locks for long

/** Each table with the column that dates its rows: an id, or an instant. */
const TABLES = [
  ['webhook_resent_events', 'resend_id'],
  ['webhook_resends', 'id'],
  ['webhook_hours', 'hour'],
] as const;

/** Partitioned by the day of the event. */
const DAILY = ['webhook_attempts', 'webhook_deliveries'] as const;

export interface Purged {
  /** Days, of both tables. */
  days: number;
  rows: number;
}

/**
 * Drops the days of deliveries and attempts of old events; deletes old requests to send events again, and counts of old
 * hours. Ids sort by time, so each account's oldest rows come first. `db` has no time limit: dropping a day may wait for a
 * dump.
 */
export async function purgeWebhookDeliveries(db: Database, now: Date): Promise<Purged> {
  const keptSince = new Date(now.getTime() - LOGS_KEPT_DAYS * 86_400_000);
  const purged = { days: 0, rows: 0 };
  for (const table of DAILY) {
    if (await isPartitioned(db, table)) {
      purged.days += await dropPartitions(db, table, keptSince);
      await sql`analyze ${sql.table(table)}`.execute(db); // autovacuum analyses each partition, never the whole table
    }
    purged.rows += await deleteOld(db, await earlierPart(db, table), 'event_id', keptSince);
  }
  for (const [table, column] of TABLES) purged.rows += await deleteOld(db, sql.table(table), column, keptSince);
  return purged;
}

/** Of a table that is no partitioned one: positions (ctid) are unique within a partition only. */
async function deleteOld(db: Database, table: RawBuilder<unknown>, column: string, keptSince: Date): Promise<number> {
  const isOld =
    column === 'hour' ? sql`t.hour < ${keptSince}` : sql`${sql.ref(`t.${column}`)} < ${firstIdAt(keptSince)}::uuid`;
  let total = 0;
  for (let deleted = BATCH; deleted === BATCH; total += deleted) {
    const { numAffectedRows } = await sql`
      delete from ${table} where ctid = any(array(
        select old.ctid from accounts a
        cross join lateral (
          select ctid from ${table} t where t.account_id = a.id and a.moved_to is null and ${isOld}
          order by ${sql.ref(`t.${column}`)} limit ${BATCH}
        ) old
        limit ${BATCH}))
    `.execute(db);
    deleted = Number(numAffectedRows ?? 0);
  }
  return total;
}
