import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { TWIN_CREDIT_CENTS } from '../accounts/index.ts';
import { labelFileNameOf } from '../labels/index.ts';
import { addCredit } from '../ledger/index.ts';
import { eraseProofs } from '../proofs/index.ts';

/** Tables with rows of an account, in an order that satisfies their foreign keys. Keys, webhooks and settings stay. */
const EMPTIED = [
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_resent_events',
  'webhook_resends',
  'webhook_hours',
  'events',
  'messages',
  'sms_days',
  'incidents',
  'recipient_notes',
  'recipient_reports',
  'dispatch_decisions',
  'driver_offers',
  'driver_searches',
  'dispatch_summaries',
  'shipment_keys',
  'import_lines',
  'imports',
  'recurring_occurrences',
  'recurring_exceptions',
  'recurring_schedules',
  'erasure_requests',
  'balance_refusals',
  'daily_deliveries',
  'daily_totals',
  'ledger_entries',
  'shipments',
] as const;

/**
 * Deletes everything that happened in a test twin and restores its credit, in one transaction. Returns the number of
 * deleted shipments; null when the account is no twin. Jobs that wait for their time find no shipment then, and end.
 */
export async function emptyTwin(db: Database, twinId: string, now: Date): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    await tx // before the counters, which is the lock order of status changes
      .selectFrom('shipments')
      .select('id')
      .where('account_id', '=', twinId)
      .orderBy('id')
      .forUpdate()
      .execute();
    if (!(await lockTwin(tx, twinId))) return null;
    const shipments = await tx
      .selectFrom('shipments')
      .select(['id', 'reference_number as reference', 'label_suffix as suffix'])
      .select(sql<string | null>`' test:' || account_id || ':' || (metadata->>'idempotencyKey')`.as('key'))
      .where('account_id', '=', twinId)
      .execute();
    await eraseProofs(
      tx,
      twinId,
      shipments.map(({ id }) => id),
      now,
    );
    const labels = shipments.map(({ reference, suffix }) => labelFileNameOf(reference, suffix));
    await sql`
      insert into label_files_to_delete (file_name, erased_at)
      select name, ${now} from unnest(${labels}::text[]) name on conflict do nothing`.execute(tx);
    const keys = shipments.flatMap(({ key }) => key ?? []);
    await sql`delete from idempotency_keys where key = any(${keys}::text[])`.execute(tx);
    for (const table of EMPTIED) await tx.deleteFrom(table).where('account_id', '=', twinId).execute();
    const { last_event } = await tx // positions of the event feed are never used twice: listeners store them
      .deleteFrom('account_counters')
      .where('account_id', '=', twinId)
      .returning('last_event')
      .executeTakeFirstOrThrow();
    await tx.insertInto('account_counters').values({ account_id: twinId, last_event }).execute();
    await tx // nothing is left that has the time of the moved clock
      .updateTable('accounts')
      .set({ clock_ahead_ms: 0, clock_held_at: null, clock_target: null })
      .where('id', '=', twinId)
      .execute();
    await addCredit(tx, twinId, TWIN_CREDIT_CENTS, 'test mode');
    return shipments.length;
  });
}

/** Creations wait for the lock of the counters. */
async function lockTwin(tx: Tx, twinId: string): Promise<boolean> {
  const twin = await tx
    .selectFrom('account_counters as c')
    .innerJoin('accounts as a', 'a.id', 'c.account_id')
    .select('a.id')
    .where('c.account_id', '=', twinId)
    .where('a.live_account_id', 'is not', null)
    .forUpdate('c')
    .executeTakeFirst();
  return twin !== undefined;
}
