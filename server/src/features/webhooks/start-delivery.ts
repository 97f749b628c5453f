import { WEBHOOK_DELIVERY } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Registry } from 'prom-client';
import { createEndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import { createTargetRules } from '../../adapters/endpoint/target-rules.ts';
import type { Config } from '../../config.ts';
import type { Tracer } from '../../observability/tracer.ts';
import { createDeliveryMetrics, watchDeliveries } from './delivery-metrics.ts';
import { PENDING_BY_WEBHOOK } from './delivery-queue.ts';
import { createRequestBudget } from './request-budget.ts';
import { type SenderPool, startSenderPool } from './sender-pool.ts';
import { createSecretKeeper } from './webhook-secret.ts';

export interface DeliveryOptions {
  boss: PgBoss;
  pool: pg.Pool;
  config: Pick<Config, 'webhookSecretKeys' | 'webhookAllowedNetworks' | 'webhookHost'>;
  registry: Registry;
  tracer: Tracer;
  log: FastifyBaseLogger;
  servesQueue: (name: string) => boolean;
}

/** Starts this worker's senders with the connections, secrets and metrics that they need. */
export function startWebhookDelivery(options: DeliveryOptions): SenderPool {
  const { boss, pool, config, registry, tracer, log, servesQueue } = options;
  const { timeoutMs } = WEBHOOK_DELIVERY;
  const client = createEndpointClient({ ...createTargetRules(config.webhookAllowedNetworks), timeoutMs });
  const secrets = createSecretKeeper(config.webhookSecretKeys);
  const metrics = createDeliveryMetrics([registry]);
  const budget = createRequestBudget(config.webhookHost);
  const senderPool = startSenderPool({ boss, pool, client, budget, secrets, metrics, tracer, log, servesQueue });
  watchDeliveries([registry], {
    senders: senderPool.senders,
    open: senderPool.openDeliveries,
    waiting: budget.waiting,
    async oldestPending() {
      const { rows } = await pool.query<{ oldest: Date }>(PENDING_BY_WEBHOOK);
      return rows.reduce<Date | null>((first, { oldest }) => (first && first < oldest ? first : oldest), null);
    },
  });
  return {
    ...senderPool,
    async stop() {
      await senderPool.stop();
      await client.close();
    },
  };
}
