import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { openRecurring } from '../../../test/recurring.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { createSchedules, expectEveryOccurrenceOnce, FROM, TO } from '../../../test/two-years.ts';
import { createAnyDue } from './create-any-due.ts';

const STEP_MS = 48 * 3_600_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Every so many statements of a kind fail, and the connection is closed: before the commit, or after the insert. */
async function breakConnections(): Promise<void> {
  await sql`create sequence writes`.execute(server.db);
  await sql`create function break_connection() returns trigger language plpgsql as $$
    begin
      if nextval('writes') % 7 = 0 then perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); end if;
      return null;
    end $$`.execute(server.db);
  for (const [table, event] of [
    ['recurring_occurrences', 'insert'],
    ['recurring_schedules', 'update'],
  ] as const) {
    await sql`create trigger breaks after ${sql.raw(event)} on ${sql.table(table)}
      for each statement execute function break_connection()`.execute(server.db);
  }
}

test('two years over four clock changes, every seventh write cut off: no occurrence is missing, none happens twice', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const schedules = await createSchedules(server, shop.id);
  await breakConnections();
  let at = FROM;
  const jobs = [await openRecurring(server.config, () => at), await openRecurring(server.config, () => at)];
  let failures = 0;
  for (; at <= TO; at = new Date(at.getTime() + STEP_MS)) {
    for (let isDone = false; !isDone; ) {
      const runs = await Promise.allSettled(jobs.map((job) => createAnyDue(job, at)));
      const failed = runs.filter(({ status }) => status === 'rejected').length;
      failures += failed;
      isDone = failed === 0;
    }
  }
  await sql`drop function break_connection cascade`.execute(server.db);
  for (const job of jobs) await createAnyDue(job, TO);
  expect(failures).toBeGreaterThan(50);
  await expectEveryOccurrenceOnce(server, shop.id, schedules);
  expect(await brokenInvariants(server)).toEqual([]);
  await Promise.all(jobs.map((job) => job.close()));
});
