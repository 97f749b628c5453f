import { ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bind } from '../../http/bind.ts';
import { createManaging, createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './manage-webhooks.ts';

export { type Addressee, addDeliveries } from './add-deliveries.ts';
export { auditWebhooks } from './audit.ts';
export { serveWebhooksToDashboard } from './dashboard-routes.ts';
export { listDeliveries } from './list-deliveries.ts';
export { listShipmentDeliveries } from './list-shipment-deliveries.ts';
export { describeWebhooks, resealAllSecrets, testAnyWebhook } from './operate-webhooks.ts';
export { readWebhooks } from './read-webhooks.ts';
export { createSecretKeeper } from './webhook-secret.ts';
export { createTargetRules } from './webhook-target.ts';

export interface WebhooksOptions {
  db: Database;
  config: Pick<Config, 'webhookSecretKeys' | 'webhookAllowedNetworks'>;
}

export function serveWebhooks(app: FastifyInstance, { db, config }: WebhooksOptions): void {
  const managing = createManaging(db, config);

  bind(app, ENDPOINTS.listWebhooks, async ({ caller, answer }) =>
    answer(200, { success: true, webhooks: await listWebhooks(managing, caller.accountId) }),
  );

  bind(app, ENDPOINTS.createWebhook, async ({ caller, body, answer }) =>
    answer(201, { success: true, webhook: await createWebhook(managing, caller.accountId, body) }),
  );

  bind(app, ENDPOINTS.updateWebhook, async ({ caller, params, body, answer }) =>
    answer(200, { success: true, webhook: await updateWebhook(managing, caller.accountId, params.id, body) }),
  );

  bind(app, ENDPOINTS.deleteWebhook, async ({ caller, params, answer }) => {
    await deleteWebhook(managing, caller.accountId, params.id);
    return answer(200, { success: true });
  });
}
