import type { WebhookEvent } from '@navette/contract';
import type { EndpointAnswer, EndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { recordAct } from '../members/index.ts';
import { type AuthorizeOperator, recordOperatorAct } from '../staff/index.ts';
import { hostOf } from './manage-webhooks.ts';
import { sendSample } from './sample-event.ts';
import type { SecretKeeper } from './webhook-secret.ts';

/** An account's webhooks for the operator: everything except the secret. */
export async function describeWebhooks(db: Database, accountId: string) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'is_active as isActive', 'failing_since as failingSince'])
    .select(['paused_at as pausedAt', 'pause_reason as pauseReason', 'created_at as createdAt'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

/** For the operator: sends a test event to a webhook of any account. Null when there is no such webhook. */
export async function testAnyWebhook(
  db: Database,
  secrets: SecretKeeper,
  client: EndpointClient,
  webhookId: string,
  now: Date,
): Promise<(EndpointAnswer & { url: string; event: string }) | null> {
  const webhook = await db.selectFrom('webhooks').selectAll().where('id', '=', webhookId).executeTakeFirst();
  if (!webhook) return null;
  const { account_id: accountId, url, secret_key: key, sealed_secret: sealed } = webhook;
  const event = webhook.events[0] as WebhookEvent;
  const secret = secrets.open({ accountId, webhookId }, { key, sealed });
  const { headers: _headers, body: _body, ...outcome } = await sendSample(client, { url, secret, event }, now);
  return { url, ...outcome };
}

/**
 * Makes a webhook of any account active again that the service had paused; its failures are forgotten. The security log
 * of the account shows it, too.
 */
export async function resumeAnyWebhook(
  db: Database,
  authorize: AuthorizeOperator,
  webhookId: string,
  now: Date,
): Promise<'resumed' | 'unknown' | 'not-paused'> {
  if (!isUuid(webhookId)) return 'unknown';
  return db.transaction().execute(async (tx) => {
    const actor = await authorize(tx);
    const webhook = await tx
      .selectFrom('webhooks')
      .select(['account_id as accountId', 'url', 'paused_at as pausedAt'])
      .where('id', '=', webhookId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!webhook) return 'unknown';
    const { accountId, url, pausedAt } = webhook;
    if (!pausedAt) return 'not-paused';
    await tx
      .updateTable('webhooks')
      .set({ is_active: true, paused_at: null, pause_reason: null, failing_since: null, updated_at: now })
      .where('account_id', '=', accountId)
      .where('id', '=', webhookId)
      .execute();
    const subject = { type: 'webhook', id: webhookId, title: hostOf(url) };
    const inAccount = { act: 'webhook-changed', subject: subject.title, subjectId: webhookId } as const;
    await recordAct(tx, accountId, { kind: 'operator' }, inAccount, now);
    await recordOperatorAct(tx, actor, { act: 'webhook.resumed', subject, details: { accountId } }, now);
    return 'resumed';
  });
}
