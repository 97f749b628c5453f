import type { FastifyBaseLogger } from 'fastify';
import type { Job, JobResult, PgBoss } from 'pg-boss';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { Locator } from './features/geocoding/index.ts';
import { purgeGeocodedAddresses } from './features/geocoding/purge-geocoded-addresses.handler.ts';
import { activateShipment } from './features/shipments/activate-shipment.handler.ts';
import { announceShipment } from './features/shipments/announce-shipment.handler.ts';
import { createBoss, createJobSender } from './jobs/boss.ts';
import {
  activateShipmentJob,
  announceShipmentJob,
  JOBS,
  type JobDefinition,
  purgeGeocodedAddressesJob,
} from './jobs/definitions.ts';

export interface WorkerServices {
  config: Config;
  db: Database;
  locator: Locator;
  log: FastifyBaseLogger;
}

export interface Worker {
  stop(): Promise<void>;
}

/** The worker role: the only place that loads handlers. A job under way when it stops is finished first. */
export async function startWorker({ config, db, locator, log }: WorkerServices): Promise<Worker> {
  const { databaseUrl, timeZone } = config;
  const [boss, jobs] = await Promise.all([createBoss(databaseUrl, log).start(), createJobSender(databaseUrl, log)]);

  await carryOut(boss, log, announceShipmentJob, (payload) => announceShipment({ db, jobs, locator }, payload));
  await carryOut(boss, log, activateShipmentJob, (payload) => activateShipment(db, payload, new Date(), timeZone));
  await carryOut(boss, log, purgeGeocodedAddressesJob, () => purgeGeocodedAddresses(db, new Date()));

  for (const { name, schedule } of JOBS) {
    if (schedule) await boss.schedule(name, schedule, null, { tz: timeZone });
  }
  return {
    async stop() {
      await boss.stop({ graceful: true, timeout: 20_000 });
      await jobs.stop();
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
  perJobResults: true,
  pollingIntervalSeconds: 1,
} as const;

/** One job's failure is its own: it is logged and tried again, and its neighbours go on. */
async function carryOut<P extends object>(
  boss: PgBoss,
  log: FastifyBaseLogger,
  { name }: JobDefinition<P>,
  handle: (payload: P) => Promise<unknown>,
): Promise<void> {
  const attempt = async ({ id, data }: Job<P>): Promise<JobResult> => {
    try {
      await handle(data);
      log.debug({ job: name, id }, 'job done');
      return { id, status: 'completed' };
    } catch (error) {
      log.error({ err: error, job: name, id }, 'job failed');
      return { id, status: 'failed' }; // why stays in the log: an error may repeat a person's data
    }
  };
  await boss.work(name, PACE, (jobs: Job<P>[]) => Promise.all(jobs.map(attempt)));
}
