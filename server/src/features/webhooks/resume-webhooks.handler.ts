import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Addressee } from './add-deliveries.ts';
import { PENDING_BY_WEBHOOK } from './delivery-statements.ts';
import type { WebhookRef } from './webhook-secret.ts';

const OVERDUE_MS = 30_000; // long after its round should have taken it

/**
 * Rings for every webhook with an overdue delivery. A round that is waiting or under way makes this do nothing, so it
 * only matters where one is missing: its job was lost by hand, or its webhook was paused while something was pending.
 */
export async function resumeWebhooks(
  db: Database,
  ring: (addressees: Addressee[]) => Promise<void>,
  now: Date,
): Promise<void> {
  const { rows } = await sql<WebhookRef & { oldest: Date }>`${sql.raw(PENDING_BY_WEBHOOK)}`.execute(db);
  const overdue = rows.filter(({ oldest }) => now.getTime() - oldest.getTime() > OVERDUE_MS);
  if (overdue.length > 0) await ring(overdue.map((webhook) => ({ ...webhook, isFailing: false })));
}
