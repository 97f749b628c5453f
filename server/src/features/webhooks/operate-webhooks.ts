import type { WebhookEvent } from '@navette/contract';
import type { EndpointAnswer, EndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import type { Database } from '../../database/database.ts';
import { sendSample } from './sample-event.ts';
import type { SecretKeeper } from './webhook-secret.ts';

/** An account's webhooks as the operator sees them: everything but the secret. */
export async function describeWebhooks(db: Database, accountId: string) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'is_active as isActive', 'failing_since as failingSince'])
    .select(['created_at as createdAt'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

/** For the operator, who may try any account's webhook. Null when there is no such webhook. */
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

/** For the operator: seals every account's secrets with the newest key. Answers how many were not. */
export async function resealAllSecrets(db: Database, secrets: SecretKeeper): Promise<number> {
  const old = await db.selectFrom('webhooks').selectAll().where('secret_key', '<>', secrets.newestKey).execute();
  for (const { account_id: accountId, id, secret_key: key, sealed_secret: sealed } of old) {
    const webhook = { accountId, webhookId: id };
    const resealed = secrets.seal(webhook, secrets.open(webhook, { key, sealed }));
    await db
      .updateTable('webhooks')
      .set({ secret_key: resealed.key, sealed_secret: resealed.sealed })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('secret_key', '=', key) // somebody else who rotates at the same time has done it
      .execute();
  }
  return old.length;
}
