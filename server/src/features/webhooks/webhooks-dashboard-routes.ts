import { type DashboardWebhook, MAX_WEBHOOKS_PER_ACCOUNT, WEBHOOK_DELIVERY } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { createEndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { SignedInMember } from '../../http/member-authentication.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { refuseAsTooMany } from '../../refusals/refusal.ts';
import { authorizeMember } from '../members/index.ts';
import { createWebhook, createWebhookContext, deleteWebhook, updateWebhook } from './manage-webhooks.ts';
import { readDeliveries, readDelivery, toHeaderList } from './read-deliveries.ts';
import { readSecret, revealSecret } from './read-secret.ts';
import { readWebhook, readWebhooks } from './read-webhooks.ts';
import { sendSample } from './sample-event.ts';

const TESTS = { minute: 10, hour: 100, day: 500 }; // per account: each is a request to an address of its choice

export interface DashboardWebhooksOptions {
  db: Database;
  config: Pick<Config, 'webhookSecretKeys' | 'webhookAllowedNetworks'>;
  rateLimiter: RateLimiter;
  now: () => Date;
}

export function serveWebhooksToDashboard(app: FastifyInstance, options: DashboardWebhooksOptions): void {
  const { db, config, rateLimiter, now } = options;
  const context = createWebhookContext(db, config);
  const client = createEndpointClient({ ...context.targets, timeoutMs: WEBHOOK_DELIVERY.timeoutMs });
  app.addHook('onClose', () => client.close());

  bindDashboard(app, 'listWebhooks', async ({ member, answer }) => {
    const webhooks = await readWebhooks(db, member.accountId);
    return answer(200, { success: true, webhooks, most: MAX_WEBHOOKS_PER_ACCOUNT });
  });

  bindDashboard(app, 'createWebhook', async ({ member, body, answer }) => {
    const { _id: id } = await createWebhook(context, member.accountId, body, authorize(member));
    return answer(201, { success: true, webhook: await findOwn(member.accountId, id) });
  });

  bindDashboard(app, 'readWebhook', async ({ member, params, answer }) =>
    answer(200, { success: true, webhook: await findOwn(member.accountId, params.id) }),
  );

  bindDashboard(app, 'readWebhookSecret', async ({ member, params, answer }) => {
    const secret = await reveal(member, params.id, 'webhook-secret-read');
    return answer(200, { success: true, secret });
  });

  bindDashboard(app, 'updateWebhook', async ({ member, params, body, answer }) => {
    await findOwn(member.accountId, params.id);
    await updateWebhook(context, member.accountId, params.id, body, authorize(member));
    return answer(200, { success: true, webhook: await findOwn(member.accountId, params.id) });
  });

  bindDashboard(app, 'deleteWebhook', async ({ member, params, answer }) => {
    await findOwn(member.accountId, params.id);
    await deleteWebhook(context, member.accountId, params.id, authorize(member));
    return answer(200, { success: true });
  });

  bindDashboard(app, 'testWebhook', async ({ member, params, body, answer }) => {
    const { url, events } = await findOwn(member.accountId, params.id);
    const { exhausted } = await rateLimiter.take(`webhook-tests:${member.accountId}`, TESTS);
    if (exhausted) refuseAsTooMany(exhausted);
    const secret = await reveal(member, params.id, 'webhook-tested');
    const sentAt = now();
    const event = body.event ?? events[0] ?? 'shipping.created';
    const { headers, body: sent, durationMs, ...outcome } = await sendSample(client, { url, secret, event }, sentAt);
    return answer(200, {
      success: true,
      sentAt: sentAt.toISOString(),
      ...outcome,
      durationMs: Math.round(durationMs),
      request: { url, headers: toHeaderList(headers), body: sent },
    });
  });

  bindDashboard(app, 'listWebhookDeliveries', async ({ member, params, query, answer }) => {
    await findOwn(member.accountId, params.id);
    return answer(200, { success: true, ...(await readDeliveries(db, member.accountId, params.id, query)) });
  });

  bindDashboard(app, 'readWebhookDelivery', async ({ member, params, answer }) => {
    const { url } = await findOwn(member.accountId, params.id);
    const secret = (await readSecret(context, member.accountId, params.id)) ?? refuseAsNotFound();
    const found = await readDelivery(db, member.accountId, params.id, params.eventId, secret);
    return answer(200, { success: true, url, ...(found ?? refuseAsNotFound()) });
  });

  const authorize = (member: SignedInMember) => authorizeMember(member, 'develop', now());

  async function reveal(member: SignedInMember, webhookId: string, act: Parameters<typeof revealSecret>[3]) {
    const secret = await revealSecret(context, member.accountId, webhookId, act, authorize(member));
    return secret ?? refuseAsNotFound();
  }

  async function findOwn(accountId: string, webhookId: string): Promise<DashboardWebhook> {
    return (await readWebhook(db, accountId, webhookId)) ?? refuseAsNotFound();
  }
}
