import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import { openFileStore } from './adapters/files/open-file-store.ts';
import type { Config } from './config.ts';
import { serveDashboardApp } from './dashboard-app.ts';
import type { Database } from './database/database.ts';
import { serveDriverApp } from './driver-app.ts';
import { createAccountDirectory, serveAccounts } from './features/accounts/index.ts';
import { createKeyFinder, serveApiKeys } from './features/api-keys/index.ts';
import { createLivePositions } from './features/drivers/index.ts';
import type { Locator } from './features/geocoding/index.ts';
import { serveLabels } from './features/labels/index.ts';
import { measureMessages } from './features/messages/index.ts';
import { serveRates } from './features/rates/index.ts';
import { keepRequestLog } from './features/requests/index.ts';
import { prepareCreating, type ShipmentsOptions, serveShipments } from './features/shipments/index.ts';
import { type LivePositions, serveTracking } from './features/tracking/index.ts';
import { serveWebhooks } from './features/webhooks/index.ts';
import { createFailedAttempts } from './http/failed-attempts.ts';
import { guardFrontDoor } from './http/front-door.ts';
import { serveHealth } from './http/health.ts';
import { serveMetrics } from './http/metrics.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { serveReference } from './http/reference.ts';
import { createHttpServer } from './http/server.ts';
import type { JobSender } from './jobs/boss.ts';

const FAILED_ATTEMPTS_PER_MINUTE = 300; // per client address; a shop's misconfigured retry loop stays below

export interface Services {
  config: Config;
  db: Database;
  redis: Redis;
  pools: ShipmentsOptions['pools'];
  jobs: JobSender;
  locator: Locator;
  log: FastifyBaseLogger;
  now: () => Date;
  /** Where drivers are, for the recipient's page; as their apps say when absent. */
  livePositions?: LivePositions;
  /** True from the moment the process was asked to stop. */
  isStopping?: () => boolean;
}

/** The api role: the front door first, then the rooms. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, db, redis, pools, jobs, locator, log, now } = services;
  const app = createHttpServer(config, log);
  const rateLimiter = createRateLimiter(redis, config.redisPrefix, log);
  const metrics = serveMetrics(app, rateLimiter);
  measureMessages(metrics, db);
  const checks = {
    database: async () => void (await sql`select 1`.execute(db)),
    redis: async () => void (await redis.ping()),
  };
  serveHealth(app, checks, services.isStopping ?? (() => false));
  await serveReference(app, config.publicUrl);

  const failedAttempts = createFailedAttempts(FAILED_ATTEMPTS_PER_MINUTE, now);
  guardFrontDoor(app, { keys: createKeyFinder(db, pools.main), rateLimiter, failedAttempts, now });

  keepRequestLog(app, { db, redis, redisPrefix: config.redisPrefix, log });
  const accounts = createAccountDirectory(db, pools.main);
  serveApiKeys(app);
  serveAccounts(app, { db, accounts, locator });
  serveRates(app, { accounts, timeZone: config.timeZone, now });
  const { timeZone, activationLeadMinutes } = config;
  const creating = prepareCreating({ pools, jobs, accounts, timeZone, activationLeadMinutes, now });
  serveShipments(app, { db, pools, jobs, creating, timeZone, now });
  const { publicUrl, labelThreads: threads } = config;
  serveLabels(app, { pool: pools.main, store: openFileStore(config), threads, publicUrl, timeZone, metrics, log, now });
  const positions = services.livePositions ?? createLivePositions(db, redis, config.redisPrefix);
  serveTracking(app, { db, config, positions, now });
  await serveDriverApp(app, { ...services, rateLimiter, registry: metrics });
  serveWebhooks(app, { db, config });
  serveDashboardApp(app, { ...services, accounts, creating, rateLimiter });
  return app;
}
