import { setTimeout } from 'node:timers/promises';
import { JOBS } from '../../server/src/jobs/definitions.ts';
import type { Stack } from '../stack.ts';

/** Marks statements that a scenario itself sends. */
export const OWN = '/* bench */';
/** A queue whose oldest job waits longer is not sustained. */
export const MOST_QUEUED_SECONDS = 2;
const DONE_WITHIN_MS = 600_000;
const NAMES = JOBS.flatMap(({ name, schedule }) => (schedule ? [] : name));

/** The longest that a job has waited since its time while `work` ran, other than jobs of the schedule, which may wait. */
export async function oldestJobDuring<T>(
  stack: Stack,
  work: Promise<T>,
): Promise<{ result: T; oldestSeconds: number }> {
  const ended = new AbortController();
  const sampling = sample(stack, ended.signal);
  try {
    const result = await work;
    ended.abort();
    return { result, oldestSeconds: await sampling };
  } finally {
    ended.abort();
  }
}

async function sample(stack: Stack, ended: AbortSignal): Promise<number> {
  let oldest = 0;
  while (!ended.aborted) {
    oldest = Math.max(oldest, await readOldest(stack));
    await setTimeout(1_000, undefined, { signal: ended }).catch(() => {});
  }
  return oldest;
}

/** Waits until the workers have done all jobs that are due. */
export async function untilDone(stack: Stack): Promise<void> {
  const limit = Date.now() + DONE_WITHIN_MS;
  while ((await readOldest(stack)) > 0) {
    if (Date.now() > limit) throw new Error(`jobs still wait after ${DONE_WITHIN_MS / 1_000} s`);
    await setTimeout(500);
  }
}

async function readOldest({ sql }: Stack): Promise<number> {
  const { rows } = await sql(
    `${OWN} select coalesce(max(extract(epoch from now() - start_after)), 0)::float8 as age
     from pgboss.job where state = 'created' and start_after <= now() and name = any($1)`,
    [NAMES],
  );
  return rows[0].age;
}
