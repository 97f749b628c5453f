import type { FastifyBaseLogger } from 'fastify';
import { PgBoss } from 'pg-boss';
import { JOBS } from './definitions.ts';

/** The worker's job engine: it fetches, supervises and keeps the timetable. Its tables come from `installJobs`. */
export function createBoss(databaseUrl: string, log: FastifyBaseLogger): PgBoss {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'navette-jobs',
    max: 5,
    migrate: false,
    createSchema: false,
    useListenNotify: true,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job engine'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'job engine'));
  return boss;
}

/** Creates or upgrades the engine's tables and queues; pg-boss takes its own lock. */
export async function installJobs(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 2, supervise: false, schedule: false });
  boss.on('error', () => {}); // what fails here also rejects below
  await boss.start();
  try {
    for (const { name, queue } of JOBS) {
      await boss.createQueue(name, queue);
      const { policy: _fixedAtCreation, ...changeable } = queue;
      await boss.updateQueue(name, changeable);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Whether the engine's tables are there and as this version needs them. */
export async function jobsInstalled(databaseUrl: string): Promise<boolean> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 1, migrate: false, supervise: false, schedule: false });
  boss.on('error', () => {});
  try {
    await boss.start(); // refuses tables of another version
    return true;
  } catch {
    return false;
  } finally {
    await boss.stop({ graceful: false }).catch(() => {});
  }
}
