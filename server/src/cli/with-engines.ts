import type { JobSender } from '../jobs/boss.ts';
import type { Engines } from './engines.ts';

/** Opens the database for one command and closes it in any case. Imported here, so that --help does not load it. */
export async function withEngines<T>(use: (engines: Engines) => Promise<T>): Promise<T> {
  const { openEngines } = await import('./engines.ts');
  const engines = openEngines();
  try {
    return await use(engines);
  } finally {
    await engines.close();
  }
}

/** For a command that also enqueues jobs. */
export async function withJobs<T>(
  { config, log }: Pick<Engines, 'config' | 'log'>,
  use: (jobs: JobSender) => Promise<T>,
): Promise<T> {
  const { createJobSender } = await import('../jobs/boss.ts');
  const jobs = await createJobSender(config, log);
  try {
    return await use(jobs);
  } finally {
    await jobs.stop();
  }
}
