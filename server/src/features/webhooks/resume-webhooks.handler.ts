import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import type { PendingWebhook } from './add-deliveries.ts';
import { PENDING_BY_WEBHOOK } from './delivery-queue.ts';

const OVERDUE_MS = 30_000; // long after a sender should have taken it

/**
 * Wakes a sender for every webhook with an overdue delivery. Has no effect where a job is queued or active. It matters
 * where the job is missing: somebody deleted it, or the webhook was paused while deliveries were pending.
 */
export async function resumeWebhooks(
  db: Database,
  wakeSenders: (webhooks: PendingWebhook[]) => Promise<void>,
  now: Date,
): Promise<void> {
  const { rows } = await sql<PendingWebhook & { oldest: Date }>`
    select pending.*, w.failing_since is not null as "isFailing" from (${sql.raw(PENDING_BY_WEBHOOK)}) as pending
    left join webhooks w on (w.account_id, w.id) = (pending."accountId", pending."webhookId")
    where ${servedHere('pending.accountId')}`.execute(db);
  const overdue = rows.filter(({ oldest }) => now.getTime() - oldest.getTime() > OVERDUE_MS);
  if (overdue.length > 0) await wakeSenders(overdue);
}
