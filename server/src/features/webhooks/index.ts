import { ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bind } from '../../http/bind.ts';
import { authorizeKey } from '../api-keys/index.ts';
import { createWebhook, createWebhookContext, deleteWebhook, listWebhooks, updateWebhook } from './manage-webhooks.ts';

export { createTargetRules } from '../../adapters/endpoint/target-rules.ts';
export { addDeliveries, type PendingWebhook } from './add-deliveries.ts';
export { auditWebhooks } from './audit-webhooks.ts';
export { listDeliveries } from './list-deliveries.ts';
export { listShipmentDeliveries } from './list-shipment-deliveries.ts';
export { describeWebhooks, testAnyWebhook } from './operate-webhooks.ts';
export { readWebhooks } from './read-webhooks.ts';
export { findResend, requestAnyResend, resendToAllWebhooks } from './request-resend.ts';
export { countAnyWebhookSecretKeys, resealAnyWebhookSecrets } from './reseal-webhook-secrets.ts';
export { readTestFault, setTestFault } from './test-faults.ts';
export { listAnyFailingWebhooks, listAnyPausedWebhooks, type TroubledWebhook } from './troubled-webhooks.ts';
export { createSecretKeeper } from './webhook-secret.ts';
export { serveWebhooksToConsole } from './webhooks-console-routes.ts';
export { serveWebhooksToDashboard } from './webhooks-dashboard-routes.ts';

export interface WebhooksOptions {
  db: Database;
  config: Pick<Config, 'webhookSecretKeys' | 'webhookAllowedNetworks'>;
  now: () => Date;
}

export function serveWebhooks(app: FastifyInstance, { db, config, now }: WebhooksOptions): void {
  const context = createWebhookContext(db, config);

  bind(app, ENDPOINTS.listWebhooks, async ({ caller, answer }) =>
    answer(200, { success: true, webhooks: await listWebhooks(context, caller.accountId) }),
  );

  bind(app, ENDPOINTS.createWebhook, async ({ caller, body, request, answer }) =>
    answer(201, {
      success: true,
      webhook: await createWebhook(context, caller.accountId, body, authorizeKey(caller, request, now())),
    }),
  );

  bind(app, ENDPOINTS.updateWebhook, async ({ caller, params, body, request, answer }) => {
    const authorize = authorizeKey(caller, request, now());
    const webhook = await updateWebhook(context, caller.accountId, params.id, body, authorize);
    return answer(200, { success: true, webhook });
  });

  bind(app, ENDPOINTS.deleteWebhook, async ({ caller, params, request, answer }) => {
    await deleteWebhook(context, caller.accountId, params.id, authorizeKey(caller, request, now()));
    return answer(200, { success: true });
  });
}
