import type { DashboardWebhook, WebhookEvent } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';

type Latest = DashboardWebhook['latest'][number];

const LATEST = 20; // deliveries in the summary of a webhook

/** Oldest first, without secrets, each with the outcome of its latest deliveries. */
export async function readWebhooks(db: Database, accountId: string): Promise<DashboardWebhook[]> {
  const rows = await selectWebhooks(db, accountId).orderBy('w.id').execute();
  return rows.map(present);
}

export async function readWebhook(
  db: Database,
  accountId: string,
  webhookId: string,
): Promise<DashboardWebhook | undefined> {
  if (!isUuid(webhookId)) return undefined;
  const row = await selectWebhooks(db, accountId).where('w.id', '=', webhookId).executeTakeFirst();
  return row && present(row);
}

const selectWebhooks = (db: Database, accountId: string) =>
  db
    .selectFrom('webhooks as w')
    .select(['w.id', 'w.url', 'w.events', 'w.is_active', 'w.failing_since', 'w.created_at', 'w.updated_at'])
    .select(['w.paused_at', 'w.pause_reason'])
    .select(
      sql<Latest[]>`array(
        select json_build_object('status', d.status, 'at', to_json(coalesce(d.settled_at, d.created_at)))
        from webhook_deliveries d
        where d.account_id = w.account_id and d.webhook_id = w.id
        order by d.event_id desc
        limit ${LATEST})`.as('latest'),
    )
    .where('w.account_id', '=', accountId);

function present(row: Awaited<ReturnType<ReturnType<typeof selectWebhooks>['execute']>>[number]): DashboardWebhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events as WebhookEvent[],
    isActive: row.is_active,
    failingSince: row.failing_since?.toISOString() ?? null,
    pausedAt: row.paused_at?.toISOString() ?? null,
    pauseReason: row.pause_reason as DashboardWebhook['pauseReason'],
    latest: row.latest.map(({ status, at }) => ({ status, at: new Date(at).toISOString() })),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
