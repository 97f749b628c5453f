import type { DashboardWebhook, WebhookEvent, WebhookHealth } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { readHealth } from './webhook-health.ts';

type Latest = DashboardWebhook['latest'][number];

/** Of a webhook that was created between the two reads. */
const NO_HEALTH = { lastDeliveredAt: null, deliveredShare: null, p95Ms: null, pending: 0, oldestPendingAt: null };
const LATEST = 20; // deliveries in the summary of a webhook

/** Oldest first, without secrets, each with the outcome of its latest deliveries. */
export async function readWebhooks(db: Database, accountId: string, now: Date): Promise<DashboardWebhook[]> {
  const rows = await selectWebhooks(db, accountId).orderBy('w.id').execute();
  const health = await readHealth(db, accountId, now);
  return rows.map((row) => present(row, health.get(row.id)));
}

export async function readWebhook(
  db: Database,
  accountId: string,
  webhookId: string,
  now: Date,
): Promise<DashboardWebhook | undefined> {
  if (!isUuid(webhookId)) return undefined;
  const row = await selectWebhooks(db, accountId).where('w.id', '=', webhookId).executeTakeFirst();
  return row && present(row, (await readHealth(db, accountId, now, webhookId)).get(webhookId));
}

const selectWebhooks = (db: Database, accountId: string) =>
  db
    .selectFrom('webhooks as w')
    .select(['w.id', 'w.url', 'w.events', 'w.is_active', 'w.failing_since', 'w.created_at', 'w.updated_at'])
    .select(['w.paused_at', 'w.pause_reason', 'w.test_fault', 'w.next_secret_at'])
    .select(
      sql<Latest[]>`array(
        select json_build_object('status', d.status, 'at', to_json(coalesce(d.settled_at, d.created_at)))
        from webhook_deliveries d
        where d.account_id = w.account_id and d.webhook_id = w.id
        order by d.event_id desc
        limit ${LATEST})`.as('latest'),
    )
    .where('w.account_id', '=', accountId);

type Row = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['execute']>>[number];

function present(row: Row, health: WebhookHealth = NO_HEALTH): DashboardWebhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events as WebhookEvent[],
    isActive: row.is_active,
    failingSince: row.failing_since?.toISOString() ?? null,
    pausedAt: row.paused_at?.toISOString() ?? null,
    pauseReason: row.pause_reason as DashboardWebhook['pauseReason'],
    fault: row.test_fault as DashboardWebhook['fault'],
    latest: row.latest.map(({ status, at }) => ({ status, at: new Date(at).toISOString() })),
    health,
    nextSecretAt: row.next_secret_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
