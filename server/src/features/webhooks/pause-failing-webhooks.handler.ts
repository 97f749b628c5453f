import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { notify } from '../notifications/index.ts';
import type { WebhookRef } from './webhook-secret.ts';

const DAYS = 3;
const MIN_DROPPED = 3; // events, after the first failure

/**
 * Pauses webhooks, of all accounts, that have only failed for three days, and notifies members who can fix them. There
 * must be three days between the first and a later failure, with nothing delivered since the first: a webhook that failed
 * for an hour and received no event afterwards is not paused. The next sender cancels the pending deliveries.
 */
export async function pauseFailingWebhooks(db: Database, jobs: JobSender, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<WebhookRef & { url: string }>`
      update webhooks w set is_active = false, paused_at = ${now}, pause_reason = 'failing', updated_at = ${now}
      where ${servedHere('w.account_id')} and w.is_active and w.test_fault is null and w.failing_since <= ${now}::timestamptz - make_interval(days => ${DAYS})
        and exists (
          select from webhook_deliveries d
          where (d.account_id, d.webhook_id) = (w.account_id, w.id) and d.status = 'dropped'
            and d.settled_at >= w.failing_since + make_interval(days => ${DAYS}))
        and ${MIN_DROPPED} = (
          select count(*) from (
            select from webhook_deliveries d
            where (d.account_id, d.webhook_id) = (w.account_id, w.id) and d.status = 'dropped'
              and d.settled_at >= w.failing_since
            limit ${MIN_DROPPED}) dropped)
        and not exists (
          select from webhook_deliveries d
          where (d.account_id, d.webhook_id) = (w.account_id, w.id) and d.status = 'delivered'
            and d.settled_at >= w.failing_since)
      returning account_id as "accountId", id as "webhookId", url`.execute(tx);
    for (const { accountId, webhookId, url } of rows) {
      const once = `${webhookId} ${now.toISOString()}`; // it is active again before the next pause
      const cause = { kind: 'webhook-paused', once, title: new URL(url).host, target: webhookId } as const;
      await notify(tx, jobs, accountId, cause, now);
    }
    return rows.length;
  });
}
