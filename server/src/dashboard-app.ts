import type { FastifyInstance } from 'fastify';
import type { FileStore } from './adapters/files/file-store.ts';
import { createAddressSource } from './adapters/geocoder/address-source.ts';
import type { StripeClient } from './adapters/stripe/stripe-client.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { type AccountDirectory, servePickupAddressToDashboard } from './features/accounts/index.ts';
import { serveAddressBook } from './features/address-book/index.ts';
import { serveKeysToDashboard } from './features/api-keys/index.ts';
import { serveFirstSteps } from './features/first-steps/index.ts';
import type { Locator } from './features/geocoding/index.ts';
import { serveImports } from './features/imports/index.ts';
import { serveInvoicesToDashboard } from './features/invoices/index.ts';
import { serveLedgerToDashboard } from './features/ledger/index.ts';
import { createMemberSessions, serveMembers } from './features/members/index.ts';
import { serveMessagesToDashboard } from './features/messages/index.ts';
import { serveNotifications } from './features/notifications/index.ts';
import { serveOverview } from './features/overview/index.ts';
import { servePaymentsToDashboard } from './features/payments/index.ts';
import { serveDashboardProofs } from './features/proofs/index.ts';
import { serveRecurring } from './features/recurring/index.ts';
import { type RequestLog, serveRequestsToDashboard } from './features/requests/index.ts';
import { type ShipmentDeskOptions, serveShipmentDesk } from './features/shipment-desk/index.ts';
import { serveShopPage } from './features/shop-page/index.ts';
import { serveModeSwitch } from './features/test-mode/index.ts';
import { serveViewsToDashboard, withViews } from './features/view-as/index.ts';
import { serveWebhooksToDashboard } from './features/webhooks/index.ts';
import { serveDashboardReference } from './http/api-reference.ts';
import { createFailedAttempts } from './http/failed-attempts.ts';
import { authenticateMembers } from './http/member-authentication.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import { dashboardHeaders, serveWebApp } from './http/web-app.ts';
import type { Challenges } from './identity/challenges.ts';
import { createSecondFactorSealer } from './identity/consume-code.ts';
import type { JobSender } from './jobs/boss.ts';

const FAILED_ATTEMPTS_PER_MINUTE = 60; // per client address: an office behind one address can still sign in
const WEB_APP = new URL('../../apps/dashboard/dist/', import.meta.url);
const REQUESTS_PER_MINUTE = 600; // per member, in all their tabs

interface DashboardServices {
  config: Config;
  db: Database;
  requestLog: RequestLog;
  accounts: AccountDirectory;
  locator: Locator;
  jobs: JobSender;
  pools: ShipmentDeskOptions['pools'];
  creation: ShipmentDeskOptions['creation'];
  arrivals: ShipmentDeskOptions['arrivals'];
  rateLimiter: RateLimiter;
  challenges: Challenges;
  /** Photos and signatures. */
  proofStore: FileStore;
  /** Null when payments online are switched off. */
  stripe: StripeClient | null;
  now: () => Date;
}

/** Registers the dashboard: authentication, the web app, and routes that call the use cases of the public API. */
export function serveDashboardApp(app: FastifyInstance, services: DashboardServices): void {
  const { config, db, requestLog, jobs, accounts, locator, rateLimiter, challenges, proofStore, stripe, now } =
    services;
  const sessions = createMemberSessions(db, now);
  authenticateMembers(app, {
    sessions: withViews(sessions, db, now),
    rateLimiter,
    failedAttempts: createFailedAttempts(FAILED_ATTEMPTS_PER_MINUTE, now),
    requestsPerMinute: REQUESTS_PER_MINUTE,
    publicUrl: config.publicUrl,
  });
  serveDashboardReference(app, config.publicUrl);
  serveWebApp(app, {
    path: '/dashboard',
    folder: WEB_APP,
    timeZone: config.timeZone,
    headersFor: dashboardHeaders,
  });

  const sealer = createSecondFactorSealer(config.secondFactorKeys);
  serveMembers(app, { db, jobs, sessions, sealer, rateLimiter, challenges, publicUrl: config.publicUrl, now });
  serveNotifications(app, { db, now });
  serveViewsToDashboard(app, services);
  serveModeSwitch(app, { db, sessions, now });
  serveAddressBook(app, { db, addressSource: createAddressSource(config), rateLimiter, now });
  serveImports(app, services);
  serveRecurring(app, { db, accounts, timeZone: config.timeZone, now });
  serveShipmentDesk(app, services);
  serveDashboardProofs(app, { db, proofStore });
  serveKeysToDashboard(app, { db, jobs, rateLimiter, now });
  serveWebhooksToDashboard(app, { db, jobs, config, rateLimiter, now });
  serveRequestsToDashboard(app, { db, requestLog, now });
  servePickupAddressToDashboard(app, { db, locator, now });
  serveShopPage(app, { db, now });
  serveMessagesToDashboard(app, { db, jobs, config, now });
  serveLedgerToDashboard(app, { db, timeZone: config.timeZone });
  serveInvoicesToDashboard(app, { db, config, now });
  servePaymentsToDashboard(app, { db, stripe, config, now });
  serveOverview(app, { db, accounts, timeZone: config.timeZone, now });
  serveFirstSteps(app, { db, accounts, publicUrl: config.publicUrl });
}
