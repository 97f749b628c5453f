import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker } from '../../../test/test-worker.ts';
import { listPartitions, startOfDay } from '../../database/partitions.ts';
import { firstIdAt } from '../../database/uuid.ts';
import { purgeWebhookDeliveriesJob } from '../../jobs/definitions.ts';
import { purgeWebhookDeliveries } from './purge-webhook-deliveries.handler.ts';

const DAY_MS = 86_400_000;
const JOB = purgeWebhookDeliveriesJob.name;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const daysOfAttempts = async () => (await listPartitions(server.db, 'webhook_attempts')).map(({ name }) => name);

/** A day of attempts that is to be dropped. */
async function addOldDay(): Promise<void> {
  const [old, next] = [40, 39].map((days) => startOfDay(new Date(Date.now() - days * DAY_MS))) as [Date, Date];
  const [from, until] = [sql.lit(firstIdAt(old)), sql.lit(firstIdAt(next))];
  const earlier = sql.id('partitions', 'webhook_attempts_earlier');
  const day = sql.id('partitions', `webhook_attempts_${old.toISOString().slice(0, 10).replaceAll('-', '')}`);
  const table = sql`alter table webhook_attempts`;
  await sql`${table} detach partition ${earlier}`.execute(server.db);
  await sql`${table} attach partition ${earlier} for values from (minvalue) to (${from})`.execute(server.db);
  await sql`create table ${day} partition of webhook_attempts for values from (${from}) to (${until})`.execute(
    server.db,
  );
}

test('a purge waits for a dump longer than a request may take, and keeps recent days when the worker’s clock is ahead', async () => {
  const { db, jobs } = server;
  const kept = await daysOfAttempts();
  await addOldDay();
  expect(await daysOfAttempts()).toHaveLength(kept.length + 1);
  const dump = await db.startTransaction().execute();
  await sql`select count(*) from webhook_attempts`.execute(dump);
  const config = { ...server.config, databaseTimeLimitSeconds: 1 };
  const aheadOfTime = () => new Date(Date.now() + 40 * DAY_MS);
  const worker = await startTestWorker({ config }, aheadOfTime, undefined, (name) => name === JOB);
  try {
    await db.transaction().execute((tx) => jobs.send(tx, purgeWebhookDeliveriesJob, {}));
    await eventually(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database()
        and query like 'alter table%detach%' and wait_event_type = 'Lock'
        and clock_timestamp() - query_start > interval '2 seconds'`.execute(db);
      expect(rows).toHaveLength(1);
    });
  } finally {
    await dump.commit().execute();
    await eventually(async () => {
      const { rows } = await sql`select from pgboss.job where name = ${JOB} and state = 'completed'`.execute(db);
      expect(rows).not.toEqual([]);
    });
    await worker.stop();
  }
  const { rows: retried } = await sql`select from pgboss.job where name = ${JOB} and retry_count > 0`.execute(db);
  expect(retried).toEqual([]);
  expect(await daysOfAttempts()).toEqual(expect.arrayContaining(kept));
  expect((await listPartitions(db, 'webhook_attempts'))[1]?.day?.getTime()).toBeGreaterThan(Date.now() - 32 * DAY_MS);
});

test('a purge analyses the partitioned tables, which autovacuum does not', async () => {
  await purgeWebhookDeliveries(server.db, new Date());
  const { rows } = await sql`
    select relname as name from pg_class where relname like 'webhook_%' and relkind = 'p' and reltuples >= 0
    order by relname`.execute(server.db);
  expect(rows).toEqual([{ name: 'webhook_attempts' }, { name: 'webhook_deliveries' }]);
});
