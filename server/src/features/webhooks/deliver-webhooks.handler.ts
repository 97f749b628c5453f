import { WEBHOOK_DELIVERY } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Registry } from 'prom-client';
import { createEndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import type { Config } from '../../config.ts';
import { createDeliveryMetrics, watchDeliveries } from './delivery-metrics.ts';
import { PENDING_BY_WEBHOOK } from './delivery-statements.ts';
import { type Rounds, startRounds } from './rounds.ts';
import { createSecretKeeper } from './webhook-secret.ts';
import { createTargetRules } from './webhook-target.ts';

export interface DeliveringOptions {
  boss: PgBoss;
  pool: pg.Pool;
  config: Pick<Config, 'webhookSecretKeys' | 'webhookAllowedNetworks'>;
  registry: Registry;
  log: FastifyBaseLogger;
}

/** Carries out `deliver-webhooks`, with everything that takes: connections, secrets and metrics. */
export function deliverWebhooks({ boss, pool, config, registry, log }: DeliveringOptions): Rounds {
  const { timeoutMs } = WEBHOOK_DELIVERY;
  const client = createEndpointClient({ ...createTargetRules(config.webhookAllowedNetworks), timeoutMs });
  const secrets = createSecretKeeper(config.webhookSecretKeys);
  const metrics = createDeliveryMetrics([registry]);
  const rounds = startRounds({ boss, pool, client, secrets, metrics, log });
  watchDeliveries([registry], {
    rounds: rounds.count,
    inFlight: rounds.inHand,
    async oldestPending() {
      const { rows } = await pool.query<{ oldest: Date }>(PENDING_BY_WEBHOOK);
      return rows.reduce<Date | null>((first, { oldest }) => (first && first < oldest ? first : oldest), null);
    },
  });
  return {
    ...rounds,
    async stop() {
      await rounds.stop();
      await client.close();
    },
  };
}
