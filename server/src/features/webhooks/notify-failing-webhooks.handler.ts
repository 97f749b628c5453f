import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { notify } from '../notifications/index.ts';
import type { WebhookRef } from './webhook-secret.ts';

const FAILS_FOR_MINUTES = 5; // a deployment of the merchant's server is shorter
const HOURS_BETWEEN = 24; // for an endpoint that fails and works in turn

/**
 * Mails the members who can fix a webhook, of any account, that has started to fail: once until it works again. The mark
 * and the jobs of the mails commit together. Only failures of the last two days are looked at, so that webhooks without events
 * do not accumulate here.
 */
export async function notifyFailingWebhooks(db: Database, jobs: JobSender, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<WebhookRef & { url: string }>`
      update webhooks w set failure_mailed_at = ${now}
      where w.failing_since is not null and w.is_active
        and w.failing_since between ${now}::timestamptz - make_interval(hours => ${HOURS_BETWEEN * 2})
                                and ${now}::timestamptz - make_interval(mins => ${FAILS_FOR_MINUTES})
        and (w.failure_mailed_at is null
          or (w.failure_mailed_at < w.failing_since
            and w.failure_mailed_at < ${now}::timestamptz - make_interval(hours => ${HOURS_BETWEEN})))
        and not is_test_twin(w.account_id) and ${servedHere('w.account_id')}
      returning account_id as "accountId", id as "webhookId", url`.execute(tx);
    for (const { accountId, webhookId, url } of rows) {
      const once = `${webhookId} ${now.toISOString()}`; // the mark on the webhook makes it one per outage
      const cause = { kind: 'webhook-failing', once, title: new URL(url).host, target: webhookId } as const;
      await notify(tx, jobs, accountId, cause, now);
    }
    return rows.length;
  });
}
