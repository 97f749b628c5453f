import {
  type DashboardWebhook,
  MAX_WEBHOOKS_PER_ACCOUNT,
  type ResendRequest,
  WEBHOOK_DELIVERY,
  type WebhookResend,
} from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { createEndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { SignedInMember } from '../../http/member-authentication.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { refuseAsTooMany } from '../../refusals/refusal.ts';
import { authorizeMember } from '../members/index.ts';
import { createWebhook, createWebhookContext, deleteWebhook, updateWebhook } from './manage-webhooks.ts';
import { readDeliveries, readDelivery, toHeaderList } from './read-deliveries.ts';
import { readSecrets, revealSecret } from './read-secret.ts';
import { readWebhook, readWebhooks } from './read-webhooks.ts';
import { cancelResend, listResends, requestResend } from './request-resend.ts';
import { cancelRotation, startRotation, switchSecret } from './rotate-secret.ts';
import { sendSample } from './sample-event.ts';
import { setTestFault } from './test-faults.ts';

const RESENDS = { minute: 30, hour: 500, day: 2_000 }; // per account
const TESTS = { minute: 10, hour: 100, day: 500 }; // per account: each is a request to an address of its choice

export interface DashboardWebhooksOptions {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'webhookSecretKeys' | 'webhookAllowedNetworks'>;
  rateLimiter: RateLimiter;
  now: () => Date;
}

export function serveWebhooksToDashboard(app: FastifyInstance, options: DashboardWebhooksOptions): void {
  const { db, jobs, config, rateLimiter, now } = options;
  const context = createWebhookContext(db, config);
  const client = createEndpointClient({ ...context.targets, timeoutMs: WEBHOOK_DELIVERY.timeoutMs });
  app.addHook('onClose', () => client.close());

  bindDashboard(app, 'listWebhooks', async ({ member, answer }) => {
    const webhooks = await readWebhooks(db, member.accountId, now());
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
    return answer(200, { success: true, ...(await reveal(member, params.id, 'webhook-secret-read')) });
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
    const { secret } = await reveal(member, params.id, 'webhook-tested');
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

  bindDashboard(app, 'setWebhookFault', async ({ member, params, body, answer }) => {
    const { accountId, isTestMode } = member;
    if (!isTestMode) refuseAsNotFound();
    await db.transaction().execute(async (tx) => {
      await authorize(member)(tx);
      if (!(await setTestFault(tx, accountId, params.id, body.fault ?? 'none'))) refuseAsNotFound();
    });
    return answer(200, { success: true, webhook: await findOwn(accountId, params.id) });
  });

  bindDashboard(app, 'listWebhookDeliveries', async ({ member, params, query, answer }) => {
    await findOwn(member.accountId, params.id);
    return answer(200, { success: true, ...(await readDeliveries(db, member.accountId, params.id, query)) });
  });

  bindDashboard(app, 'readWebhookDelivery', async ({ member, params, answer }) => {
    const { url } = await findOwn(member.accountId, params.id);
    const secretOf = (await readSecrets(context, member.accountId, params.id)) ?? refuseAsNotFound();
    const found = await readDelivery(db, member.accountId, params.id, params.eventId, secretOf);
    return answer(200, { success: true, url, ...(found ?? refuseAsNotFound()) });
  });

  bindDashboard(app, 'resendWebhookEvent', async ({ member, params, answer }) =>
    answer(202, { success: true, resend: await resend(member, params.id, { eventId: params.eventId }) }),
  );

  bindDashboard(app, 'resendWebhookPeriod', async ({ member, params, body, answer }) =>
    answer(202, { success: true, resend: await resend(member, params.id, body) }),
  );

  bindDashboard(app, 'listWebhookResends', async ({ member, params, answer }) => {
    await findOwn(member.accountId, params.id);
    return answer(200, { success: true, resends: await listResends(db, member.accountId, params.id) });
  });

  bindDashboard(app, 'cancelWebhookResend', async ({ member, params, answer }) => {
    const ref = { accountId: member.accountId, webhookId: params.id };
    const resend = await cancelResend(db, ref, params.resendId, authorize(member), now());
    return answer(200, { success: true, resend: resend ?? refuseAsNotFound() });
  });

  bindDashboard(app, 'rotateWebhookSecret', async ({ member, params, answer }) => {
    const next = await startRotation(context, member.accountId, params.id, authorize(member), now());
    return answer(201, { success: true, ...next });
  });

  bindDashboard(app, 'switchWebhookSecret', async ({ member, params, answer }) => {
    await switchSecret(db, member.accountId, params.id, authorize(member), now());
    return answer(200, { success: true, webhook: await findOwn(member.accountId, params.id) });
  });

  bindDashboard(app, 'cancelWebhookRotation', async ({ member, params, answer }) => {
    await cancelRotation(db, member.accountId, params.id, authorize(member), now());
    return answer(200, { success: true, webhook: await findOwn(member.accountId, params.id) });
  });

  async function resend(member: SignedInMember, webhookId: string, request: ResendRequest): Promise<WebhookResend> {
    const { exhausted } = await rateLimiter.take(`webhook-resends:${member.accountId}`, RESENDS);
    if (exhausted) refuseAsTooMany(exhausted);
    return requestResend({ db, jobs }, member.accountId, webhookId, request, authorize(member), now());
  }

  const authorize = (member: SignedInMember) => authorizeMember(member, 'develop', now());

  async function reveal(member: SignedInMember, webhookId: string, act: Parameters<typeof revealSecret>[3]) {
    const secret = await revealSecret(context, member.accountId, webhookId, act, authorize(member));
    return secret ?? refuseAsNotFound();
  }

  async function findOwn(accountId: string, webhookId: string): Promise<DashboardWebhook> {
    return (await readWebhook(db, accountId, webhookId, now())) ?? refuseAsNotFound();
  }
}
