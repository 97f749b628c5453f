import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import { openLabelStore, openProofStore } from './adapters/files/open-file-store.ts';
import { createMailSender } from './adapters/mail/create-mail-sender.ts';
import { createSmsSender } from './adapters/sms/create-sms-sender.ts';
import { auditNightly } from './audit/audit.handler.ts';
import { measureAudit } from './audit/audit-metrics.ts';
import { openDirectory } from './cells/directory.ts';
import { publishSignInChanges } from './cells/publish-sign-in-changes.handler.ts';
import type { Config } from './config.ts';
import { createDatabase, createPool, type Database, withTimeLimits } from './database/database.ts';
import { addPartitions, readDatabaseTime } from './database/partitions.ts';
import { createAccountDirectory } from './features/accounts/index.ts';
import { remindExpiringKeys } from './features/api-keys/remind-expiring-keys.handler.ts';
import { archiveNightly } from './features/archive/archive-shipments.handler.ts';
import { createArrivals } from './features/arrival/index.ts';
import { learnArrivals } from './features/arrival/learn-arrivals.handler.ts';
import { noteForecasts } from './features/arrival/note-forecasts.handler.ts';
import { applyZone } from './features/dispatch/apply-zone.handler.ts';
import { pushOrEnqueue, pushToDrivers } from './features/dispatch/notify-drivers.handler.ts';
import { createDriverSearch } from './features/dispatch/search-driver.handler.ts';
import { summariseDispatch } from './features/dispatch/summarise-dispatch.handler.ts';
import { createPushMetrics, openPushClient } from './features/driver-push/index.ts';
import { sendPush } from './features/driver-push/send-push.handler.ts';
import { purgeDriverSessions } from './features/drivers/purge-driver-sessions.handler.ts';
import { sendDriverLink } from './features/drivers/send-driver-link.handler.ts';
import { countFigures } from './features/figures/count-figures.handler.ts';
import type { Locator } from './features/geocoding/index.ts';
import { purgeGeocodedAddresses } from './features/geocoding/purge-geocoded-addresses.handler.ts';
import { eraseImports } from './features/imports/erase-imports.handler.ts';
import { runImport } from './features/imports/run-import.handler.ts';
import { purgeInboxStates } from './features/inbox/purge-inbox-states.handler.ts';
import { handOverInvoices } from './features/invoice-platform/hand-over-invoices.handler.ts';
import { openPlatform } from './features/invoice-platform/index.ts';
import { issueInvoices } from './features/invoices/issue-invoices.handler.ts';
import { purgeMemberLeftovers } from './features/members/purge-member-leftovers.handler.ts';
import { sendMemberMail } from './features/members/send-member-mail.handler.ts';
import { announceArrivals } from './features/messages/announce-arrivals.handler.ts';
import { eraseMessages } from './features/messages/erase-messages.handler.ts';
import { createMessageMetrics, createSendingAtOnce } from './features/messages/index.ts';
import { resumeMessages } from './features/messages/resume-messages.handler.ts';
import { createMessageSending } from './features/messages/send-message.handler.ts';
import { notifyMoney } from './features/notifications/notify-money.handler.ts';
import { countStripeRequests, openStripe } from './features/payments/index.ts';
import { reconcilePayments } from './features/payments/reconcile-payments.handler.ts';
import { topUpAccounts } from './features/payments/top-up-accounts.handler.ts';
import { erasePersonalData } from './features/personal-data/erase-personal-data.handler.ts';
import { createAnyDue } from './features/recurring/index.ts';
import { endEventBodies } from './features/shipments/end-event-bodies.handler.ts';
import { followChanges } from './features/shipments/follow-change.handler.ts';
import { activateShipment, buildCreationContext, locateShipment } from './features/shipments/index.ts';
import { sendStaffMail } from './features/staff/send-staff-mail.handler.ts';
import { emptyIdleTwins } from './features/test-mode/empty-idle-twins.handler.ts';
import { addHeldDelivery } from './features/webhooks/add-held-delivery.handler.ts';
import { notifyFailingWebhooks } from './features/webhooks/notify-failing-webhooks.handler.ts';
import { pauseFailingWebhooks } from './features/webhooks/pause-failing-webhooks.handler.ts';
import { purgeWebhookDeliveries } from './features/webhooks/purge-webhook-deliveries.handler.ts';
import { resendEvents } from './features/webhooks/resend-events.handler.ts';
import { resumeWebhooks } from './features/webhooks/resume-webhooks.handler.ts';
import { startWebhookDelivery } from './features/webhooks/start-delivery.ts';
import { switchWebhookSecrets } from './features/webhooks/switch-webhook-secrets.handler.ts';
import { createBoss, createJobSender } from './jobs/boss.ts';
import {
  activateShipmentJob,
  addHeldDeliveryJob,
  addPartitionsJob,
  announceArrivalsJob,
  applyZoneJob,
  archiveShipmentsJob,
  auditJob,
  countFiguresJob,
  createRecurringJob,
  type DriverNotification,
  emptyIdleTwinsJob,
  endEventBodiesJob,
  eraseImportsJob,
  eraseMessagesJob,
  erasePersonalDataJob,
  followChangeJob,
  handOverInvoicesJob,
  issueInvoicesJob,
  JOBS,
  learnArrivalsJob,
  locateShipmentJob,
  noteForecastsJob,
  notifyDriversJob,
  notifyFailingWebhooksJob,
  notifyMoneyJob,
  pauseFailingWebhooksJob,
  publishSignInChangesJob,
  purgeDriverSessionsJob,
  purgeGeocodedAddressesJob,
  purgeInboxStatesJob,
  purgeMemberLeftoversJob,
  purgeWebhookDeliveriesJob,
  reconcilePaymentsJob,
  remindExpiringKeysJob,
  resendEventsJob,
  resumeMessagesJob,
  resumeWebhooksJob,
  runImportJob,
  type ShipmentPayload,
  searchDriverJob,
  sendDriverLinkJob,
  sendMemberMailJob,
  sendMessageJob,
  sendPushJob,
  sendStaffMailJob,
  summariseDispatchJob,
  switchWebhookSecretsJob,
  topUpAccountsJob,
} from './jobs/definitions.ts';
import { measureQueues } from './jobs/job-metrics.ts';
import { createJobRunner } from './jobs/job-runner.ts';
import { measurePartitions } from './observability/partition-metrics.ts';
import type { Traced } from './observability/trace-context.ts';
import type { Tracer } from './observability/tracer.ts';
import type { SharedState } from './shared-state.ts';

export interface WorkerServices {
  config: Config;
  db: Database;
  pools: { prepared: pg.Pool; long: pg.Pool };
  state: Pick<SharedState, 'positions' | 'connectDriverPush'>;
  locator: Locator;
  /** Metrics of this process, which the operator's listener serves. */
  registry: Registry;
  tracer: Tracer;
  log: FastifyBaseLogger;
  now?: () => Date;
  /** The queues that this worker serves; all by default. */
  servesQueue?: (name: string) => boolean;
}

export interface Worker {
  stop(): Promise<void>;
}

/** The worker role. No other code loads handlers. On stop, running jobs finish first. */
export async function startWorker(services: WorkerServices): Promise<Worker> {
  const { config, db, state, locator, registry, tracer, log, now = () => new Date() } = services;
  const { servesQueue = () => true } = services;
  const { timeZone } = config;
  const { positions } = state;
  const driverPush = state.connectDriverPush();
  await addPartitions(db, new Date()); // after a pause of weeks they would be missing until the job runs
  const [boss, jobs] = await Promise.all([createBoss(config, log).start(), createJobSender(config, log)]);

  const runner = createJobRunner({ boss, registry, tracer, log, servesQueue });
  measureQueues(registry, db);
  const metrics = createMessageMetrics(registry);

  const pool = createPool({ ...withTimeLimits(config), size: 8, lookups: true }); // for batches of hundreds
  const lookups = createDatabase(services.pools.prepared);
  const webhooks = startWebhookDelivery({ boss, pool, config, registry, tracer, log, servesQueue });
  const { wakeSenders } = webhooks;
  const pushNow = (notification: DriverNotification) => pushOrEnqueue(lookups, jobs, driverPush, notification);
  const driverSearch = createDriverSearch({
    ...{ db: lookups, positions, jobs, locator, config, pushToDrivers: pushNow, log },
  });
  const [sms, mail] = [createSmsSender(config), createMailSender(config)];
  const { sendQueued, sendReserved } = createMessageSending(
    { db: lookups, jobs, sms, mail, config, metrics, log },
    now,
  );
  await runner.handleShared(sendMessageJob, sendQueued);
  const messages = createSendingAtOnce({
    ...{ budget: config, now },
    send: (message) =>
      runner.runWithin(
        sendMessageJob,
        { accountId: message.accountId, messageId: message.id, traceparent: message.traceparent },
        () => sendReserved(message),
      ),
  });
  const followContext = {
    ...{ db: createDatabase(pool), jobs, config, metrics, wakeSenders, pushToDrivers: pushNow },
    messages: servesQueue(sendMessageJob.name) ? messages : undefined,
    searchDriver: async (shipment: Traced<ShipmentPayload>) =>
      servesQueue(searchDriverJob.name) &&
      runner.runWithin(searchDriverJob, shipment, (step) => driverSearch.searchLocated(step, now())),
  };
  await runner.handleBatch(followChangeJob, (changes) => followChanges(followContext, changes));
  await runner.handle(addHeldDeliveryJob, (held) => addHeldDelivery({ db: lookups, jobs, wakeSenders }, held));
  await runner.handle(resendEventsJob, (payload) => resendEvents({ db, jobs, wakeSenders }, payload, now()));
  await runner.handle(switchWebhookSecretsJob, () => switchWebhookSecrets(db, now()));
  await runner.handle(notifyFailingWebhooksJob, () => notifyFailingWebhooks(db, jobs, now()));
  await runner.handle(resumeWebhooksJob, () => resumeWebhooks(db, wakeSenders, now()));
  await runner.handle(pauseFailingWebhooksJob, () => pauseFailingWebhooks(db, jobs, now()));
  await runner.handle(purgeWebhookDeliveriesJob, async () => {
    const long = createDatabase(services.pools.long);
    await purgeWebhookDeliveries(long, await readDatabaseTime(long));
  });
  await runner.handle(endEventBodiesJob, async () => void (await endEventBodies(db, now())));
  await runner.handle(addPartitionsJob, () => addPartitions(db, new Date()));

  await runner.handle(locateShipmentJob, ({ accountId, shipmentId }) =>
    locateShipment(lookups, locator, accountId, shipmentId),
  );
  await runner.handle(activateShipmentJob, (payload) => activateShipment(lookups, jobs, payload, now(), timeZone));
  await runner.handle(purgeGeocodedAddressesJob, () => purgeGeocodedAddresses(db, now()));

  await runner.handleShared(searchDriverJob, (step) => driverSearch.search(step, now()));
  await runner.handle(summariseDispatchJob, async () => void (await summariseDispatch(db, now())));
  await runner.handle(applyZoneJob, (zone) => applyZone({ db, jobs, config }, zone, now));
  await runner.handleQuick(notifyDriversJob, (notification) => pushToDrivers(lookups, driverPush, notification));
  const webPush = openPushClient(config);
  const pushContext = { db: lookups, client: webPush.client, metrics: createPushMetrics(registry), log };
  await runner.handle(sendPushJob, (push) => sendPush(pushContext, push, now()));
  await runner.handle(purgeDriverSessionsJob, () => purgeDriverSessions(db, now()));

  const accounts = createAccountDirectory(db, pool);
  const pools = { prepared: pool, creation: pool };
  const creation = buildCreationContext({ ...config, pools, jobs, accounts, tracer, now });
  const importContext = { db, jobs, creation };
  await runner.handleLong(runImportJob, (payload) => runImport(importContext, payload, now));
  await runner.handle(createRecurringJob, () => createAnyDue({ db, jobs, creation, timeZone }, now()));
  await runner.handle(eraseImportsJob, () => eraseImports(db, now()));

  await runner.handle(notifyMoneyJob, () => notifyMoney(db, jobs, now()));
  await runner.handle(remindExpiringKeysJob, async () => void (await remindExpiringKeys(db, jobs, now())));
  await runner.handle(eraseMessagesJob, () => eraseMessages(db, config.messageRetentionDays, now()));

  const mailContext = { db, mail, publicUrl: config.publicUrl, log };
  await runner.handle(sendMemberMailJob, (payload) => sendMemberMail(mailContext, payload, now()));
  await runner.handle(sendStaffMailJob, (payload) => sendStaffMail(mailContext, payload, now()));
  const linkContext = { db, mail, sms, config, log };
  await runner.handle(sendDriverLinkJob, (payload) => sendDriverLink(linkContext, payload, now()));
  await runner.handle(purgeMemberLeftoversJob, () => purgeMemberLeftovers(db, now()));

  const stores = { labels: openLabelStore(config), proofs: openProofStore(config) };
  const erasureContext = { db, jobs, stores, config, registry, log };
  await runner.handle(erasePersonalDataJob, erasePersonalData(erasureContext, now));
  await runner.handle(archiveShipmentsJob, () => archiveNightly({ db, store: stores.proofs, log }, config, now));

  await runner.handle(purgeInboxStatesJob, () => purgeInboxStates({ db, positions, config }, now()));
  await runner.handle(emptyIdleTwinsJob, () => emptyIdleTwins(db, log, now()));
  await runner.handle(countFiguresJob, () => countFigures(db, timeZone, now()));
  const arrivals = createArrivals({ db, positions, config });
  const announcing = { db, jobs, config, arrivals, metrics };
  await runner.handle(announceArrivalsJob, () => announceArrivals(announcing, now()));
  await runner.handle(resumeMessagesJob, () => resumeMessages(db, jobs, now()));
  await runner.handle(noteForecastsJob, () => noteForecasts(db, arrivals, now()));
  await runner.handle(learnArrivalsJob, () => learnArrivals({ db, config }, now()));
  await runner.handle(issueInvoicesJob, (page) => issueInvoices({ db, jobs, config, log }, page, now()));
  const handing = { db, platform: openPlatform(config), log };
  await runner.handle(handOverInvoicesJob, () => handOverInvoices(handing, now()));
  const paying = { db, jobs, stripe: openStripe(config, countStripeRequests(registry)), timeZone, log };
  await runner.handle(reconcilePaymentsJob, () => reconcilePayments(paying, now()));
  await runner.handle(topUpAccountsJob, () => topUpAccounts(paying, now()));
  const directory = config.directoryUrl === null ? null : openDirectory(config.directoryUrl);
  await runner.handle(publishSignInChangesJob, () => publishSignInChanges(db, directory, config.cell));
  await runner.handle(auditJob, () => auditNightly(config, log));
  measureAudit(registry, db);
  measurePartitions(registry, db);

  for (const { name, schedule } of JOBS) {
    if (schedule) await boss.schedule(name, schedule, null, { tz: timeZone });
  }
  return {
    async stop() {
      messages.stop();
      await webhooks.stop();
      await boss.stop({ graceful: true, timeout: 20_000 });
      await messages.ended();
      await Promise.all([sms.close(), mail.close(), webPush.close(), jobs.stop(), directory?.close(), pool.end()]);
      driverPush.close();
    },
  };
}
