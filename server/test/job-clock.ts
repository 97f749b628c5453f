import { sql } from 'kysely';
import type { TestDatabase } from './test-database.ts';

export interface JobClock {
  /** Sets the current time of the job engine and the worker. */
  set(now: Date): Promise<void>;
  now(): Date;
}

/** Lets a test control the clock of the job engine: replaces the function that the engine calls for the time. */
export async function takeJobClock({ db }: Pick<TestDatabase, 'db'>): Promise<JobClock> {
  let ahead = 0;
  await sql`create table job_clock (ahead interval not null)`.execute(db);
  await sql`insert into job_clock values ('0')`.execute(db);
  const { rows } = await sql<{ returns: string }>`
    select prorettype::regtype::text as returns from pg_proc where oid = 'pgboss.job_now'::regproc`.execute(db);
  if (rows[0]?.returns !== 'timestamp with time zone') throw new Error('the job engine has another clock by now');
  await sql`
    create or replace function pgboss.job_now() returns timestamptz language sql stable as
      'select pg_catalog.now() + (select ahead from public.job_clock)'`.execute(db);
  // The engine deletes a job that is due for a fortnight, which a jump over months would make of every timer.
  await sql`update pgboss.queue set retention_seconds = 1000000000`.execute(db);
  return {
    async set(now) {
      ahead = now.getTime() - Date.now();
      await sql`update job_clock set ahead = make_interval(secs => ${ahead / 1000})`.execute(db);
    },
    now: () => new Date(Date.now() + ahead),
  };
}
