import { sql } from 'kysely';
import type { TestDatabase } from './test-database.ts';

export interface JobClock {
  /** The job engine and the worker take this for the present from now on. */
  set(now: Date): Promise<void>;
  now(): Date;
}

/** Takes the clock of a database's job engine into the test's hand: it asks a function of its own for the time. */
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
  return {
    async set(now) {
      ahead = now.getTime() - Date.now();
      await sql`update job_clock set ahead = make_interval(secs => ${ahead / 1000})`.execute(db);
    },
    now: () => new Date(Date.now() + ahead),
  };
}
