import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Job, PgBoss } from 'pg-boss';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createMailSender } from './adapters/mail/create-mail-sender.ts';
import { createSmsSender } from './adapters/sms/create-sms-sender.ts';
import type { Config } from './config.ts';
import { createDatabase, createPool, type Database } from './database/database.ts';
import { createAccountDirectory } from './features/accounts/index.ts';
import { searchDriver } from './features/dispatch/search-driver.handler.ts';
import { tellDriversNews } from './features/dispatch/tell-drivers.handler.ts';
import type { Locator } from './features/geocoding/index.ts';
import { purgeGeocodedAddresses } from './features/geocoding/purge-geocoded-addresses.handler.ts';
import { carryOutImport } from './features/imports/carry-out-import.handler.ts';
import { eraseImports } from './features/imports/erase-imports.handler.ts';
import { purgeMemberLeftovers } from './features/members/purge-member-leftovers.handler.ts';
import { sendMemberMail } from './features/members/send-member-mail.handler.ts';
import { eraseMessages } from './features/messages/erase-messages.handler.ts';
import { sendMessage } from './features/messages/send-message.handler.ts';
import { activateShipment } from './features/shipments/activate-shipment.handler.ts';
import { followChanges } from './features/shipments/follow-change.handler.ts';
import { locateShipment, prepareCreating } from './features/shipments/index.ts';
import { deliverWebhooks } from './features/webhooks/deliver-webhooks.handler.ts';
import { purgeWebhookDeliveries } from './features/webhooks/purge-webhook-deliveries.handler.ts';
import { resumeWebhooks } from './features/webhooks/resume-webhooks.handler.ts';
import { createDriverVoice } from './http/driver-voice.ts';
import { createRedis } from './http/redis.ts';
import { listenForOperator } from './http/worker-listener.ts';
import { createBoss, createJobSender } from './jobs/boss.ts';
import {
  activateShipmentJob,
  carryOutImportJob,
  eraseImportsJob,
  eraseMessagesJob,
  followChangeJob,
  JOBS,
  type JobDefinition,
  locateShipmentJob,
  purgeGeocodedAddressesJob,
  purgeMemberLeftoversJob,
  purgeWebhookDeliveriesJob,
  resumeWebhooksJob,
  searchDriverJob,
  sendMemberMailJob,
  sendMessageJob,
  tellDriversJob,
} from './jobs/definitions.ts';

export interface WorkerServices {
  config: Config;
  db: Database;
  locator: Locator;
  log: FastifyBaseLogger;
  now?: () => Date;
}

export interface Worker {
  stop(): Promise<void>;
}

/** The worker role: the only place that loads handlers. A job under way when it stops is finished first. */
export async function startWorker(services: WorkerServices): Promise<Worker> {
  const { config, db, locator, log, now = () => new Date() } = services;
  const { databaseUrl, timeZone, host, workerPort } = config;
  const redis = createRedis(config.redisUrl, log);
  const voice = createDriverVoice(config);
  const [boss, jobs] = await Promise.all([createBoss(databaseUrl, log).start(), createJobSender(databaseUrl, log)]);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const check = () => sql`select 1`.execute(db);
  const listener =
    workerPort === null ? null : await listenForOperator({ host, port: workerPort, registry, check, log });

  const pool = createPool({ databaseUrl, size: 8, timeLimitMs: 10_000 }); // for what is done by the hundred
  const webhooks = deliverWebhooks({ boss, pool, config, registry, log });
  const { ring } = webhooks;
  const following = { db: createDatabase(pool), jobs, config, ring };
  await carryOutTogether(boss, log, followChangeJob, (changes) => followChanges(following, changes));
  await carryOut(boss, log, resumeWebhooksJob, () => resumeWebhooks(db, ring, now()));
  await carryOut(boss, log, purgeWebhookDeliveriesJob, () => purgeWebhookDeliveries(db, now()));

  await carryOut(boss, log, locateShipmentJob, ({ accountId, shipmentId }) =>
    locateShipment(db, locator, accountId, shipmentId),
  );
  await carryOut(boss, log, activateShipmentJob, (payload) => activateShipment(db, jobs, payload, now(), timeZone));
  await carryOut(boss, log, purgeGeocodedAddressesJob, () => purgeGeocodedAddresses(db, now()));

  const searching = { db, redis, jobs, locator, config, log };
  await carryOut(boss, log, searchDriverJob, (step) => searchDriver(searching, step, now()));
  await carryOut(boss, log, tellDriversJob, (news) => tellDriversNews(db, voice, news));

  const accounts = createAccountDirectory(db, pool);
  const pools = { main: pool, creation: pool };
  const creating = prepareCreating({ ...config, pools, jobs, accounts, now });
  await carryOut(boss, log, carryOutImportJob, (payload) => carryOutImport({ db, creating }, payload, now));
  await carryOut(boss, log, eraseImportsJob, () => eraseImports(db, now()));

  const [sms, mail] = [createSmsSender(config), createMailSender(config)];
  const sending = { db, jobs, sms, mail, linkSecrets: config.linkSecrets, log };
  await carryOut(boss, log, sendMessageJob, (payload) => sendMessage(sending, payload, now));
  await carryOut(boss, log, eraseMessagesJob, () => eraseMessages(db, config.messageRetentionDays, now()));

  const mailing = { db, mail, publicUrl: config.publicUrl, log };
  await carryOut(boss, log, sendMemberMailJob, (letter) => sendMemberMail(mailing, letter, now()));
  await carryOut(boss, log, purgeMemberLeftoversJob, () => purgeMemberLeftovers(db, now()));

  for (const { name, schedule } of JOBS) {
    if (schedule) await boss.schedule(name, schedule, null, { tz: timeZone });
  }
  return {
    async stop() {
      await listener?.close();
      await webhooks.stop();
      await boss.stop({ graceful: true, timeout: 20_000 });
      await Promise.all([sms.close(), mail.close(), jobs.stop(), pool.end()]);
      voice.close();
      redis.disconnect();
    },
  };
}

/**
 * Sixteen jobs of a kind under way at a time. As long as there are more, the next ones are fetched without a pause;
 * otherwise a worker would rest after each, although one notification may stand for many jobs.
 */
const PACE = {
  localConcurrency: 2,
  batchSize: 8,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1, // a timer or a retry that falls due notifies nobody
} as const;

/** One job's failure is its own: it is logged and tried again, and its neighbours go on. */
async function carryOut<P extends object>(
  boss: PgBoss,
  log: FastifyBaseLogger,
  { name }: JobDefinition<P>,
  handle: (payload: P) => Promise<unknown>,
): Promise<void> {
  await boss.work(name, PACE, async (jobs: Job<P>[]) => {
    await Promise.all(jobs.map((job) => attempt(boss, log, name, job, handle)));
  });
}

const MOST_TOGETHER = 200;

/**
 * For jobs that cost far less together. When they fail together each is tried alone, so that a bad one harms no other.
 */
async function carryOutTogether<P extends object>(
  boss: PgBoss,
  log: FastifyBaseLogger,
  { name }: JobDefinition<P>,
  handle: (payloads: P[]) => Promise<unknown>,
): Promise<void> {
  const pace = { ...PACE, batchSize: MOST_TOGETHER };
  await boss.work(name, pace, async (jobs: Job<P>[]) => {
    try {
      await handle(jobs.map(({ data }) => data));
    } catch (error) {
      log.warn({ err: error, job: name, jobs: jobs.length }, 'jobs failed together, now one by one');
      for (const job of jobs) await attempt(boss, log, name, job, (payload) => handle([payload]));
    }
  });
}

/**
 * A job that failed is given back here, and pg-boss completes the others of its batch. Not by results for each job, which
 * it joins with the whole queue: that took more time than all of our own work.
 */
async function attempt<P extends object>(
  boss: PgBoss,
  log: FastifyBaseLogger,
  name: string,
  job: Job<P>,
  handle: (payload: P) => Promise<unknown>,
): Promise<void> {
  const { id } = job;
  try {
    await handle(job.data);
    log.debug({ job: name, id }, 'job done');
  } catch (error) {
    log.error({ err: error, job: name, id }, 'job failed');
    await boss.fail(name, job); // why stays in the log: an error may repeat a person's data
  }
}
