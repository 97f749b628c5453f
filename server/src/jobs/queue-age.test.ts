import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { activateShipmentJob } from './definitions.ts';
import { readQueues } from './job-metrics.ts';

const { name } = activateShipmentJob;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`insert into pgboss.job (name, data, start_after, created_on)
            values (${name}, '{}', now() + interval '1 hour', now() - interval '2 days'),
                   (${name}, '{}', now() - interval '5 minutes', now() - interval '1 day')`.execute(database.db);
});
afterAll(() => database.drop());

const ageWith = async (readyCount: number, countedSecondsAgo: number | null) => {
  await sql`update pgboss.queue set ready_count = ${readyCount},
              monitor_on = now() - ${countedSecondsAgo}::float8 * interval '1 second' where name = ${name}`.execute(
    database.db,
  );
  const queue = (await readQueues(database.db)).find((found) => found.name === name);
  return Math.round((queue?.oldestSeconds ?? Number.NaN) / 60);
};

test('the age of a queue is that of its oldest due job, since it became due', async () => {
  expect(await ageWith(1, 0)).toBe(5);
});

test('a queue in which no job was due a moment ago is not searched: all its jobs may be deferred', async () => {
  expect(await ageWith(0, 2)).toBe(0);
});

test('a queue whose jobs were not counted recently is searched, because no worker may be running', async () => {
  expect(await ageWith(0, 60)).toBe(5);
  expect(await ageWith(0, null)).toBe(5);
});
