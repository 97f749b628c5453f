import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { openLabelStore, openProofStore } from './adapters/files/open-file-store.ts';
import { openDirectory } from './cells/directory.ts';
import { createCellFinder } from './cells/find-cell.ts';
import type { Config } from './config.ts';
import { serveConsoleApp } from './console-app.ts';
import { serveDashboardApp } from './dashboard-app.ts';
import { createDatabase, type Database } from './database/database.ts';
import { serveDriverApp } from './driver-app.ts';
import { createAccountDirectory, serveAccounts } from './features/accounts/index.ts';
import { createKeyFinder, serveApiKeys } from './features/api-keys/index.ts';
import { createArrivals } from './features/arrival/index.ts';
import { createLivePositions } from './features/drivers/index.ts';
import { serveEventFeed } from './features/event-feed/index.ts';
import type { Locator } from './features/geocoding/index.ts';
import { measureHandovers } from './features/invoice-platform/index.ts';
import { serveLabels } from './features/labels/index.ts';
import { measureUnsentMessages } from './features/messages/index.ts';
import {
  countStripeEvents,
  countStripeRequests,
  measurePayments,
  openStripe,
  serveStripeEvents,
} from './features/payments/index.ts';
import { serveRates } from './features/rates/index.ts';
import { recordAccountRequests, serveRequests } from './features/requests/index.ts';
import { buildCreationContext, type ShipmentsOptions, serveShipments } from './features/shipments/index.ts';
import { serveTestMode } from './features/test-mode/index.ts';
import { type LivePositions, serveTracking } from './features/tracking/index.ts';
import { serveWebhooks } from './features/webhooks/index.ts';
import { serveReference } from './http/api-reference.ts';
import { serveDocumentation } from './http/documentation.ts';
import { createFailedAttempts } from './http/failed-attempts.ts';
import { forwardToOtherCells } from './http/forward-to-cell.ts';
import { authenticateMerchants } from './http/merchant-authentication.ts';
import { measureRequests } from './http/request-metrics.ts';
import { createHttpServer } from './http/server.ts';
import type { SlowRequestLimits } from './http/slow-request-limits.ts';
import { serveStartPage } from './http/start-page.ts';
import { traceRequests } from './http/trace-requests.ts';
import type { JobSender } from './jobs/boss.ts';
import { type ReadHealth, serveHealth } from './observability/health.ts';
import type { Tracer } from './observability/tracer.ts';
import type { SharedState } from './shared-state.ts';

const FAILED_ATTEMPTS_PER_MINUTE = 300; // per client address; a shop's misconfigured retry loop stays below it
const DIRECTORY_TIME_LIMIT_MS = 2_000; // a sign-in waits for it

export interface Services {
  config: Config;
  db: Database;
  state: SharedState;
  pools: ShipmentsOptions['pools'];
  jobs: JobSender;
  locator: Locator;
  log: FastifyBaseLogger;
  now: () => Date;
  /** Positions of drivers for the recipient's page; those of `state` when absent. */
  livePositions?: LivePositions;
  /** SLOW_REQUEST_LIMITS when absent. */
  slowRequestLimits?: SlowRequestLimits;
  /** Metrics of this process, which the operator's listener serves. */
  registry: Registry;
  tracer: Tracer;
  readHealth: ReadHealth;
}

/** The api role: registers authentication first, then the routes of every feature. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, db, state, pools, jobs, locator, registry, tracer, log, now } = services;
  const app = createHttpServer(config, log, services.slowRequestLimits);
  traceRequests(app, tracer);
  const { positions, requestLog, rateLimiter, challenges } = state;
  measureRequests(app, registry, rateLimiter);
  measureUnsentMessages(registry, db);
  serveHealth(app, services.readHealth, 'status');
  serveStartPage(app);
  serveReference(app, config.publicUrl);
  serveDocumentation(app, config);

  const failedAttempts = createFailedAttempts(FAILED_ATTEMPTS_PER_MINUTE, now);
  if (config.directoryUrl !== null) {
    const directory = openDirectory(config.directoryUrl, DIRECTORY_TIME_LIMIT_MS);
    app.addHook('onClose', () => directory.close());
    forwardToOtherCells(app, createCellFinder(db, directory));
  }
  authenticateMerchants(app, { keys: createKeyFinder(db, pools.prepared), rateLimiter, failedAttempts, now });

  recordAccountRequests(app, { db, requestLog, log });
  const accounts = createAccountDirectory(db, pools.prepared);
  serveApiKeys(app);
  serveAccounts(app, { db, accounts, locator, now });
  serveRates(app, { accounts, timeZone: config.timeZone, now });
  const { timeZone } = config;
  const creation = buildCreationContext({ ...config, pools, jobs, accounts, tracer, now });
  serveShipments(app, { db, pools, jobs, creation, timeZone, now });
  const { publicUrl, labelThreads: threads } = config;
  const lookups = createDatabase(pools.prepared);
  serveLabels(app, {
    db: lookups,
    pool: pools.prepared,
    store: openLabelStore(config),
    threads,
    publicUrl,
    timeZone,
    registry,
    log,
    now,
  });
  const livePositions = services.livePositions ?? createLivePositions(lookups, positions);
  const arrivals = createArrivals({ db: lookups, positions, config });
  const proofStore = openProofStore(config);
  serveTracking(app, { db: lookups, config, positions: livePositions, arrivals, proofStore, now });
  const sockets = await serveDriverApp(app, { ...services, positions, rateLimiter, proofStore });
  serveWebhooks(app, { db, config, now });
  serveEventFeed(app, { db, log, now });
  serveRequests(app, { requestLog, now });
  serveTestMode(app, { db, positions, jobs, config, creation, log, now });
  measureHandovers(registry, db);
  const stripe = openStripe(config, countStripeRequests(registry));
  if (stripe) {
    const { webhookSecrets } = config.stripe;
    serveStripeEvents(app, { db, stripe, webhookSecrets, events: countStripeEvents(registry), now });
    measurePayments(registry, db);
  }
  serveDashboardApp(app, {
    ...services,
    ...{ stripe, arrivals, accounts, creation, requestLog, rateLimiter, challenges, proofStore },
  });
  serveConsoleApp(app, { ...services, positions, arrivals, requestLog, rateLimiter, proofStore, sockets });
  return app;
}
