import { type DashboardWebhook, MAX_WEBHOOKS_PER_ACCOUNT, WEBHOOK_DELIVERY } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { createEndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { refuseAsNotFound } from '../../http/dashboard-refusal.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import { refuseAsTooMany } from '../../http/refusal.ts';
import { createManaging, createWebhook, deleteWebhook, readSecret, updateWebhook } from './manage-webhooks.ts';
import { named, readDeliveries, readDelivery } from './read-deliveries.ts';
import { readWebhook, readWebhooks } from './read-webhooks.ts';
import { sendSample } from './sample-event.ts';

const TESTS = { minute: 10, hour: 100, day: 500 }; // of one account: each is a request to an address it chose

export interface DashboardWebhooksOptions {
  db: Database;
  config: Pick<Config, 'webhookSecretKeys' | 'webhookAllowedNetworks'>;
  rateLimiter: RateLimiter;
  now: () => Date;
}

export function serveWebhooksToDashboard(app: FastifyInstance, options: DashboardWebhooksOptions): void {
  const { db, config, rateLimiter, now } = options;
  const managing = createManaging(db, config);
  const client = createEndpointClient({ ...managing.targets, timeoutMs: WEBHOOK_DELIVERY.timeoutMs });
  app.addHook('onClose', () => client.close());

  bindDashboard(app, 'listWebhooks', async ({ member, answer }) => {
    const webhooks = await readWebhooks(db, member.accountId);
    return answer(200, { success: true, webhooks, most: MAX_WEBHOOKS_PER_ACCOUNT });
  });

  bindDashboard(app, 'createWebhook', async ({ member, body, answer }) => {
    const { _id: id } = await createWebhook(managing, member.accountId, body);
    return answer(201, { success: true, webhook: await findOwn(member.accountId, id) });
  });

  bindDashboard(app, 'readWebhook', async ({ member, params, answer }) =>
    answer(200, { success: true, webhook: await findOwn(member.accountId, params.id) }),
  );

  bindDashboard(app, 'readWebhookSecret', async ({ member, params, answer }) => {
    const secret = (await readSecret(managing, member.accountId, params.id)) ?? refuseAsNotFound();
    return answer(200, { success: true, secret });
  });

  bindDashboard(app, 'updateWebhook', async ({ member, params, body, answer }) => {
    await findOwn(member.accountId, params.id);
    await updateWebhook(managing, member.accountId, params.id, body);
    return answer(200, { success: true, webhook: await findOwn(member.accountId, params.id) });
  });

  bindDashboard(app, 'deleteWebhook', async ({ member, params, answer }) => {
    await findOwn(member.accountId, params.id);
    await deleteWebhook(managing, member.accountId, params.id);
    return answer(200, { success: true });
  });

  bindDashboard(app, 'testWebhook', async ({ member, params, body, answer }) => {
    const { url, events } = await findOwn(member.accountId, params.id);
    const secret = (await readSecret(managing, member.accountId, params.id)) ?? refuseAsNotFound();
    const { exhausted } = await rateLimiter.take(`webhook-tests:${member.accountId}`, TESTS);
    if (exhausted) refuseAsTooMany(exhausted);
    const sentAt = now();
    const event = body.event ?? events[0] ?? 'shipping.created';
    const { headers, body: sent, durationMs, ...outcome } = await sendSample(client, { url, secret, event }, sentAt);
    return answer(200, {
      success: true,
      sentAt: sentAt.toISOString(),
      ...outcome,
      durationMs: Math.round(durationMs),
      request: { url, headers: named(headers), body: sent },
    });
  });

  bindDashboard(app, 'listWebhookDeliveries', async ({ member, params, query, answer }) => {
    await findOwn(member.accountId, params.id);
    return answer(200, { success: true, ...(await readDeliveries(db, member.accountId, params.id, query)) });
  });

  bindDashboard(app, 'readWebhookDelivery', async ({ member, params, answer }) => {
    const { url } = await findOwn(member.accountId, params.id);
    const secret = (await readSecret(managing, member.accountId, params.id)) ?? refuseAsNotFound();
    const found = await readDelivery(db, member.accountId, params.id, params.eventId, secret);
    return answer(200, { success: true, url, ...(found ?? refuseAsNotFound()) });
  });

  async function findOwn(accountId: string, webhookId: string): Promise<DashboardWebhook> {
    return (await readWebhook(db, accountId, webhookId)) ?? refuseAsNotFound();
  }
}
