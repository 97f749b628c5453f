import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { createAccountDirectory, serveAccounts } from './features/accounts/index.ts';
import { createKeyFinder, serveApiKeys } from './features/api-keys/index.ts';
import type { Locator } from './features/geocoding/index.ts';
import { serveRates } from './features/rates/index.ts';
import { createFailedAttempts } from './http/failed-attempts.ts';
import { guardFrontDoor } from './http/front-door.ts';
import { serveHealth } from './http/health.ts';
import { serveMetrics } from './http/metrics.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { serveReference } from './http/reference.ts';
import { createHttpServer } from './http/server.ts';

const FAILED_ATTEMPTS_PER_MINUTE = 300; // per client address; a shop's misconfigured retry loop stays below

export interface Services {
  config: Config;
  db: Database;
  redis: Redis;
  locator: Locator;
  log: FastifyBaseLogger;
  now: () => Date;
}

/** The api role: the front door first, then the rooms. */
export async function buildApp({ config, db, redis, locator, log, now }: Services): Promise<FastifyInstance> {
  const app = createHttpServer(config, log);
  const rateLimiter = createRateLimiter(redis, config.redisPrefix, log);
  serveMetrics(app, rateLimiter);
  serveHealth(app, {
    database: async () => void (await sql`select 1`.execute(db)),
    redis: async () => void (await redis.ping()),
  });
  await serveReference(app, config.publicUrl);

  const failedAttempts = createFailedAttempts(FAILED_ATTEMPTS_PER_MINUTE, now);
  guardFrontDoor(app, { keys: createKeyFinder(db), rateLimiter, failedAttempts, now });

  const accounts = createAccountDirectory(db);
  serveApiKeys(app);
  serveAccounts(app, { db, accounts, locator });
  serveRates(app, { accounts, timeZone: config.timeZone, now });
  return app;
}
