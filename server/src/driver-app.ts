import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { measureDispatch, serveDispatch } from './features/dispatch/index.ts';
import { createDriverSessions, serveDrivers } from './features/drivers/index.ts';
import { serveRuns } from './features/runs/index.ts';
import { serveDriverChannel } from './http/driver-channel.ts';
import { createChannelAdapter } from './http/driver-channel-adapter.ts';
import { guardDriverDoor } from './http/driver-door.ts';
import { createFailedAttempts } from './http/failed-attempts.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import { serveDriverReference } from './http/reference.ts';
import type { JobSender } from './jobs/boss.ts';

// Per client address. Apart from the merchants': a password costs more to check than a key, and 50 drivers behind one
// office's address still sign in.
const FAILED_ATTEMPTS_PER_MINUTE = 60;

interface DriverServices {
  config: Config;
  db: Database;
  redis: Redis;
  pools: { main: pg.Pool };
  jobs: JobSender;
  rateLimiter: RateLimiter;
  registry: Registry;
  log: FastifyBaseLogger;
  now: () => Date;
}

/** What the driver app talks to: a door of its own, three rooms, and a socket that leads through the same door. */
export async function serveDriverApp(app: FastifyInstance, services: DriverServices): Promise<void> {
  const { config, db, redis, pools, jobs, rateLimiter, registry, log, now } = services;
  const sessions = createDriverSessions(pools.main);
  const failedAttempts = createFailedAttempts(FAILED_ATTEMPTS_PER_MINUTE, now);
  const requestsPerMinute = config.driverRequestsPerMinute;
  guardDriverDoor(app, { sessions, rateLimiter, failedAttempts, requestsPerMinute });
  await serveDriverReference(app, config.publicUrl);

  serveDrivers(app, { db, redis, redisPrefix: config.redisPrefix, sessions, log, now });
  serveDispatch(app, { db, jobs, config, now });
  serveRuns(app, { db, jobs, config, now });

  const channel = serveDriverChannel(app, sessions, createChannelAdapter(config));
  measureDispatch(registry, db, () => channel.connected());
}
