import type { FastifyInstance } from 'fastify';
import type { FileStore } from './adapters/files/file-store.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { serveApprovals } from './features/approvals/index.ts';
import type { Arrivals } from './features/arrival/index.ts';
import { serveDispatchToConsole, serveZones } from './features/dispatch/index.ts';
import { serveDispatchBoard } from './features/dispatch-board/index.ts';
import { serveDriverPage } from './features/driver-page/index.ts';
import type { DriverPositions } from './features/drivers/index.ts';
import { serveFigures } from './features/figures/index.ts';
import type { Locator } from './features/geocoding/index.ts';
import { serveInbox } from './features/inbox/index.ts';
import { serveInvoicesToConsole } from './features/invoices/index.ts';
import { createDriverChannel, serveLiveMap } from './features/live-map/index.ts';
import { serveMerchantPage } from './features/merchant-page/index.ts';
import { serveMessagesToConsole } from './features/messages/index.ts';
import { servePaymentsToConsole } from './features/payments/index.ts';
import { serveConsoleProofs } from './features/proofs/index.ts';
import { serveReportsToConsole } from './features/recipient-reports/index.ts';
import type { RequestLog } from './features/requests/index.ts';
import { serveSearch } from './features/search/index.ts';
import { serveShipmentPage } from './features/shipment-page/index.ts';
import { createStaffSessions, serveStaff } from './features/staff/index.ts';
import { serveViewsToConsole } from './features/view-as/index.ts';
import { serveWebhooksToConsole } from './features/webhooks/index.ts';
import { serveConsoleReference } from './http/api-reference.ts';
import { serveConsoleSocket } from './http/console-socket.ts';
import type { DriverSocketServer } from './http/driver-socket.ts';
import { createFailedAttempts } from './http/failed-attempts.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import { authenticateStaff } from './http/staff-authentication.ts';
import { consoleHeaders, serveWebApp } from './http/web-app.ts';
import { createSecondFactorSealer } from './identity/consume-code.ts';
import type { JobSender } from './jobs/boss.ts';

const FAILED_ATTEMPTS_PER_MINUTE = 60; // per client address: an office behind one address can still sign in
const WEB_APP = new URL('../../apps/console/dist/', import.meta.url);
const REQUESTS_PER_MINUTE = 600; // per staff member, in all their tabs

interface ConsoleServices {
  config: Config;
  db: Database;
  positions: DriverPositions;
  arrivals: Arrivals;
  requestLog: RequestLog;
  jobs: JobSender;
  locator: Locator;
  proofStore: FileStore;
  rateLimiter: RateLimiter;
  /** The channel that the driver app uses too. */
  sockets: DriverSocketServer;
  now: () => Date;
}

/** Registers the operator's console: authentication, the web app, and routes that call the operator's use cases. */
export function serveConsoleApp(app: FastifyInstance, services: ConsoleServices): void {
  const { config, db, positions, jobs, rateLimiter, sockets, now } = services;
  const { publicUrl, timeZone } = config;
  const sessions = createStaffSessions(db, now);
  authenticateStaff(app, {
    sessions,
    rateLimiter,
    failedAttempts: createFailedAttempts(FAILED_ATTEMPTS_PER_MINUTE, now),
    requestsPerMinute: REQUESTS_PER_MINUTE,
    publicUrl,
  });
  serveConsoleReference(app, publicUrl);
  serveWebApp(app, { path: '/console', folder: WEB_APP, timeZone, headersFor: consoleHeaders(config.map.styleUrl) });
  serveConsoleSocket(app, { sockets, sessions, publicUrl, readDrivers: createDriverChannel(positions) });
  const sealer = createSecondFactorSealer(config.secondFactorKeys);
  serveStaff(app, { config, db, jobs, sessions, sealer, rateLimiter, now });
  serveApprovals(app, services);
  serveSearch(app, services);
  serveShipmentPage(app, services);
  serveConsoleProofs(app, services);
  serveMerchantPage(app, services);
  serveViewsToConsole(app, services);
  serveDriverPage(app, services);
  serveInbox(app, services);
  serveLiveMap(app, services);
  serveDispatchToConsole(app, services);
  serveDispatchBoard(app, services);
  serveZones(app, services);
  serveFigures(app, services);
  serveWebhooksToConsole(app, services);
  serveMessagesToConsole(app, services);
  serveReportsToConsole(app, services);
  servePaymentsToConsole(app, services);
  serveInvoicesToConsole(app, services);
}
