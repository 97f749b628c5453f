import { WEBHOOK_EVENTS, type Webhook } from '@navette/contract';
import type { TestAccount, TestServer } from './test-server.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** A webhook of the account at this path of the receiver, which then checks its signatures. */
export async function subscribe(
  server: TestServer,
  receiver: WebhookReceiver,
  account: TestAccount,
  path: string,
  events: readonly string[] = WEBHOOK_EVENTS,
): Promise<Webhook> {
  const body = { url: `${receiver.url}${path}`, events };
  const answer = await server.call(account, 'POST', '/webhooks', { body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  receiver.expectSecret(path, answer.body.webhook.secret);
  return answer.body.webhook;
}
