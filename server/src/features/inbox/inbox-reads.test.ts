import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { ship } from '../../../test/dispatched.ts';
import { eventually } from '../../../test/eventually.ts';
import { fillShipments } from '../../../test/fill-shipments.ts';
import { readsOf } from '../../../test/rows-read.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { withWorker } from '../../../test/with-worker.ts';

const ENDED = 100_000; // shipments
const RUNS = 7; // more than the five executions after which PostgreSQL considers a generic plan
const FEW = 20; // rows of a table, for three entries
const TABLES = ['shipments', 'driver_searches', 'messages', 'incidents', 'webhooks', 'driver_sessions', 'inbox_states'];

let server: TestServer;
let staff: TestStaff;
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_RETRY_SECONDS: '600' });
  staff = await createTestStaff(server);
});
afterAll(() => server.stop());

const list = async () => (await staff.call('listInbox')).body.entries as { key: string }[];

/** Rows that a request reads in each table. */
async function rowsPerRequest(): Promise<Record<string, number>> {
  const reads = await readsOf(Object.values(server.pools), async () => {
    for (let i = 0; i < RUNS; i++) await list();
  });
  return Object.fromEntries(TABLES.map((table) => [table, reads.rows(table) / RUNS]));
}

test('after 100,000 shipments the list reads as few rows as on the first day', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  await withWorker(server, async () => {
    for (let i = 0; i < 3; i++) await ship(server, shop);
    await eventually(async () => expect(await list()).toHaveLength(3));
  });
  await sql`analyze`.execute(server.db);
  const young = await rowsPerRequest();

  const old = await server.createAccount({ paymentMode: 'deferred' });
  await fillShipments(server.db, old.id, ENDED);
  const ended = sql`select id from shipments where account_id = ${old.id}`;
  await sql`insert into driver_searches (id, account_id, shipment_id, state, started_at, spent_at, ended_at)
    select id, ${old.id}, id, 'stopped', now(), now(), now() from (${ended}) s`.execute(server.db);
  await sql`insert into incidents (account_id, id, shipment_id, driver_id, kind, happened_at, received_at, resolved_at, resolution)
    select ${old.id}, s.id, s.id, d.id, 'other', now(), now(), now(), 'tried_again'
    from (${ended}) s, (select id from drivers limit 1) d`.execute(server.db);
  await sql`insert into messages (account_id, id, shipment_id, kind, channel, status, created_at, erased_at)
    select ${old.id}, id, id, 'recipient-sms', 'sms', 'failed', now(), now() from (${ended}) s`.execute(server.db);
  await sql`analyze`.execute(server.db);

  expect(await list()).toHaveLength(3);
  const aged = await rowsPerRequest();
  for (const table of TABLES) {
    const most = Math.max(young[table] ?? 0, FEW);
    expect([table, aged[table]]).toEqual([table, expect.toSatisfy((rows: number) => rows <= most)]);
  }
});
