import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { type AccountDirectory, servePickupAddressToDashboard } from './features/accounts/index.ts';
import { serveKeysToDashboard } from './features/api-keys/index.ts';
import { serveFirstSteps } from './features/first-steps/index.ts';
import type { Locator } from './features/geocoding/index.ts';
import { serveImports } from './features/imports/index.ts';
import { serveLedgerToDashboard } from './features/ledger/index.ts';
import { createMemberSessions, createSecondFactorSealer, serveMembers } from './features/members/index.ts';
import { serveOverview } from './features/overview/index.ts';
import { serveRequestsToDashboard } from './features/requests/index.ts';
import { type ShipmentDeskOptions, serveShipmentDesk } from './features/shipment-desk/index.ts';
import { serveWebhooksToDashboard } from './features/webhooks/index.ts';
import { guardDashboardDoor } from './http/dashboard-door.ts';
import { createFailedAttempts } from './http/failed-attempts.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import { serveDashboardReference } from './http/reference.ts';
import { serveWebApp } from './http/web-app.ts';
import type { JobSender } from './jobs/boss.ts';

const FAILED_ATTEMPTS_PER_MINUTE = 60; // per client address: an office behind one address still signs in
const WEB_APP = new URL('../../apps/dashboard/dist/', import.meta.url);
const REQUESTS_PER_MINUTE = 600; // of one member, in all their tabs

interface DashboardServices {
  config: Config;
  db: Database;
  redis: Redis;
  accounts: AccountDirectory;
  locator: Locator;
  jobs: JobSender;
  pools: ShipmentDeskOptions['pools'];
  creating: ShipmentDeskOptions['creating'];
  rateLimiter: RateLimiter;
  now: () => Date;
}

/** What the merchant's dashboard talks to: a door of its own, then the rooms, which call the public API's use cases. */
export function serveDashboardApp(app: FastifyInstance, services: DashboardServices): void {
  const { config, db, redis, jobs, accounts, locator, rateLimiter, now } = services;
  const sessions = createMemberSessions(db, now);
  guardDashboardDoor(app, {
    sessions,
    rateLimiter,
    failedAttempts: createFailedAttempts(FAILED_ATTEMPTS_PER_MINUTE, now),
    requestsPerMinute: REQUESTS_PER_MINUTE,
    publicUrl: config.publicUrl,
  });
  serveDashboardReference(app, config.publicUrl);
  serveWebApp(app, { path: '/dashboard', folder: WEB_APP, timeZone: config.timeZone });

  const sealer = createSecondFactorSealer(config.secondFactorKeys);
  serveMembers(app, { db, jobs, sessions, sealer, rateLimiter, now });
  serveImports(app, services);
  serveShipmentDesk(app, { ...services, timeZone: config.timeZone });
  serveKeysToDashboard(app, { db, now });
  serveWebhooksToDashboard(app, { db, config, rateLimiter, now });
  serveRequestsToDashboard(app, { db, redis, redisPrefix: config.redisPrefix, now });
  servePickupAddressToDashboard(app, db, locator);
  serveLedgerToDashboard(app, { db, timeZone: config.timeZone });
  serveOverview(app, { db, accounts, timeZone: config.timeZone, now });
  serveFirstSteps(app, { db, accounts, publicUrl: config.publicUrl });
}
