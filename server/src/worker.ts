import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { purgeGeocodedAddresses } from './features/geocoding/purge-geocoded-addresses.handler.ts';
import { createBoss } from './jobs/boss.ts';
import { JOBS, type JobDefinition, purgeGeocodedAddressesJob } from './jobs/definitions.ts';

export interface Worker {
  stop(): Promise<void>;
}

/** The worker role: the only place that loads handlers. A job under way when it stops is finished first. */
export async function startWorker(config: Config, db: Database, log: FastifyBaseLogger): Promise<Worker> {
  const boss = createBoss(config.databaseUrl, log);
  await boss.start();

  const carryOut = (job: JobDefinition, handle: () => Promise<unknown>) =>
    boss.work(job.name, async () => {
      const result = await handle();
      log.info({ job: job.name, result }, 'job done');
    });
  await carryOut(purgeGeocodedAddressesJob, () => purgeGeocodedAddresses(db, new Date()));

  for (const { name, schedule } of JOBS) {
    if (schedule) await boss.schedule(name, schedule, null, { tz: config.timeZone });
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 20_000 }) };
}
