import { setTimeout } from 'node:timers/promises';
import type { Engines } from '../../server/src/cli/engines.ts';
import { createJobSender } from '../../server/src/jobs/boss.ts';
import { JOBS } from '../../server/src/jobs/definitions.ts';
import type { Stack } from '../stack.ts';

const LIMIT_SECONDS = 7_200;

export interface RunJob {
  name: string;
  schedule: string;
  /** Of its processing, with the further jobs that it enqueues for itself. */
  seconds: number;
}

/** Each job of these schedules once, one after the other, by a worker that runs already. */
export async function* runScheduledJobs(
  stack: Stack,
  { config, log, db }: Engines,
  schedules = /./,
): AsyncGenerator<RunJob> {
  const sender = await createJobSender(config, log);
  try {
    for (const job of JOBS) {
      const { name, schedule } = job;
      if (!schedule || !schedules.test(schedule)) continue;
      const since = await db.transaction().execute(async (tx) => {
        await sender.send(tx, job, {});
        return new Date();
      });
      yield { name, schedule, seconds: await secondsOf(stack, name, since) };
    }
  } finally {
    await sender.stop();
  }
}

async function secondsOf({ sql }: Stack, name: string, since: Date): Promise<number> {
  const limit = Date.now() + LIMIT_SECONDS * 1_000;
  for (;;) {
    const { rows } = await sql(
      `select count(*) filter (where state < 'completed')::int as open, count(*) filter (where state > 'completed')::int as failed,
         sum(extract(epoch from completed_on - started_on))::float8 as seconds
       from pgboss.job where name = $1 and created_on >= $2::timestamptz - interval '1 second' and start_after < now() + interval '10 seconds'`,
      [name, since],
    );
    const { open, failed, seconds } = rows[0];
    if (failed > 0) throw new Error(`${name} failed`);
    if (open === 0 && seconds !== null) return seconds;
    if (Date.now() > limit) throw new Error(`${name} takes longer than ${LIMIT_SECONDS} s`);
    await setTimeout(200);
  }
}
