import { setTimeout } from 'node:timers/promises';
import { JOBS } from '../../server/src/jobs/definitions.ts';
import type { Stack } from '../stack.ts';

/** Marks statements that a scenario itself sends. */
export const OWN = '/* bench */';
/** A queue whose oldest job waits longer is not sustained. */
export const MOST_QUEUED_SECONDS = 2;
const DONE_WITHIN_MS = 600_000;
const NAMES = JOBS.flatMap(({ name, schedule }) => (schedule ? [] : name));

export interface WaitingJob {
  queue: string;
  seconds: number;
}

export const describeOldest = ({ queue, seconds }: WaitingJob) => `oldest job ${seconds.toFixed(1)} s (${queue})`;

/** The job that has waited longest since its time while `work` ran, other than jobs of the schedule, which may wait. */
export async function oldestJobDuring<T>(stack: Stack, work: Promise<T>): Promise<{ result: T; oldest: WaitingJob }> {
  const ended = new AbortController();
  const sampling = sample(stack, ended.signal);
  try {
    const result = await work;
    ended.abort();
    return { result, oldest: await sampling };
  } finally {
    ended.abort();
  }
}

async function sample(stack: Stack, ended: AbortSignal): Promise<WaitingJob> {
  let oldest = NONE;
  while (!ended.aborted) {
    const found = await readOldest(stack);
    if (found.seconds > oldest.seconds) oldest = found;
    await setTimeout(1_000, undefined, { signal: ended }).catch(() => {});
  }
  return oldest;
}

/** Waits until the workers have done all jobs that are due. */
export async function untilDone(stack: Stack): Promise<void> {
  const limit = Date.now() + DONE_WITHIN_MS;
  while ((await readOldest(stack)) !== NONE) {
    if (Date.now() > limit) throw new Error(`jobs still wait after ${DONE_WITHIN_MS / 1_000} s`);
    await setTimeout(500);
  }
}

const NONE: WaitingJob = { queue: 'none', seconds: 0 };

/** Reads waiting jobs by the index from which the engine fetches them: at high rates the jobs that are done are many more. */
async function readOldest({ sql }: Stack): Promise<WaitingJob> {
  const { rows } = await sql(
    `${OWN} select queue, extract(epoch from now() - due)::float8 as seconds
     from unnest($1::text[]) queue, lateral (
       select min(start_after) as due from pgboss.job
       where name = queue and state < 'active' and not blocked and start_after <= now()) waiting
     where due is not null order by due limit 1`,
    [NAMES],
  );
  return rows[0] ?? NONE;
}
