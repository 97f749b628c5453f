import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { FileStore } from './adapters/files/file-store.ts';
import { readVapidKey } from './adapters/push/vapid.ts';
import type { Config } from './config.ts';
import { createDatabase, type Database } from './database/database.ts';
import { measureDispatch } from './features/dispatch/index.ts';
import { isPaidByRun, serveDriverPay } from './features/driver-pay/index.ts';
import { serveDriverPush } from './features/driver-push/index.ts';
import {
  createDriverSessions,
  type DriverPositions,
  serveDrivers,
  servePasswordLinks,
} from './features/drivers/index.ts';
import { serveDriverProofs } from './features/proofs/index.ts';
import { serveRuns } from './features/runs/index.ts';
import { deliveryQrPublicKeys } from './features/shipments/index.ts';
import { serveDriverReference } from './http/api-reference.ts';
import { authenticateDrivers, POSITIONS_PER_MINUTE } from './http/driver-authentication.ts';
import { type DriverSocketServer, serveDriverSocket } from './http/driver-socket.ts';
import { createFailedAttempts } from './http/failed-attempts.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import { commonHeaders } from './http/response-headers.ts';
import { driverAppHeaders, serveWebApp } from './http/web-app.ts';
import type { JobSender } from './jobs/boss.ts';
import type { SharedState } from './shared-state.ts';

// Per client address. Lower than for merchants, because a password costs more to check than a key. 50 drivers behind one
// office's address can still sign in.
const FAILED_ATTEMPTS_PER_MINUTE = 60;
const WEB_APP = new URL('../../apps/driver/dist/', import.meta.url);

interface DriverServices {
  config: Config;
  /** For figures over many rows. The routes look rows up with `pools.prepared`. */
  db: Database;
  state: Pick<SharedState, 'connectSockets'>;
  positions: DriverPositions;
  pools: { prepared: pg.Pool };
  jobs: JobSender;
  rateLimiter: RateLimiter;
  registry: Registry;
  /** Photos and signatures. */
  proofStore: FileStore;
  log: FastifyBaseLogger;
  now: () => Date;
}

/** Registers the driver app: authentication, the web app, the routes of its API, and the socket, which calls those routes. */
export async function serveDriverApp(app: FastifyInstance, services: DriverServices): Promise<DriverSocketServer> {
  const { config, state, positions, pools, jobs, rateLimiter, registry, proofStore, log, now } = services;
  const db = createDatabase(pools.prepared);
  const sessions = createDriverSessions(pools.prepared, now);
  const failedAttempts = createFailedAttempts(FAILED_ATTEMPTS_PER_MINUTE, now);
  const requestsPerMinute = config.driverRequestsPerMinute;
  authenticateDrivers(app, { sessions, rateLimiter, failedAttempts, requestsPerMinute });
  serveDriverReference(app, config.publicUrl);
  const webApp = { path: '/driver', folder: WEB_APP, timeZone: config.timeZone, headersFor: driverAppHeaders };
  serveWebApp(app, { ...webApp, isInstallable: true });

  const sessionFacts = {
    deliveryKeys: deliveryQrPublicKeys(config.linkSecrets),
    operatorPhone: config.operatorPhone || null,
    paid: isPaidByRun(config.driverPay),
    pushKey: config.push.privateKey === null ? null : readVapidKey(config.push.privateKey).publicKey,
  };
  serveDrivers(app, { db, positions, sessions, sessionFacts, log, now });
  servePasswordLinks(app, { db, jobs, rateLimiter, sessions, now });
  serveRuns(app, { db, jobs, config, now });
  serveDriverProofs(app, { db, proofStore, now });
  serveDriverPush(app, { db, config, now });
  serveDriverPay(app, { db, timeZone: config.timeZone, now });

  const socketServer = serveDriverSocket(app, sessions, state.connectSockets(), {
    commandsPerMinute: requestsPerMinute + POSITIONS_PER_MINUTE,
    commonHeaders: commonHeaders(config.publicUrl),
  });
  measureDispatch(registry, services.db, () => socketServer.connected());
  return socketServer;
}
