import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readsOf } from '../../../test/rows-read.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

const ACCOUNTS = 20;
const COPIES = 1_000;

let server: TestServer;
let shop: TestAccount;
let shipment: { _id: string; referenceNumber: string };

/** One shipment of each account, a thousand times: enough for the planner to care. */
async function multiply(db: TestServer['db'], url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } =
    await client.query(`select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
    where table_name = 'shipments' and column_name not in ('id', 'number', 'reference_number')`);
  await client.query(`insert into shipments (id, number, reference_number, ${rows[0].names})
    select gen_random_uuid(), s.number + n, left(md5(s.id::text || n), 12), ${rows[0].names} from shipments s, generate_series(1, ${COPIES}) n`);
  await client.query(`update account_counters set last_shipment = 1 + ${COPIES}`);
  await client.query('analyze');
  await client.end();
  await db.selectFrom('shipments').select('id').limit(1).execute();
}

beforeAll(async () => {
  server = await startTestServer();
  for (let i = 0; i < ACCOUNTS; i++) {
    shop = await server.createAccount({ paymentMode: 'deferred' });
    const body = shipmentRequest({ groupReference: `GROUP-${i}` });
    shipment = (await server.call(shop, 'POST', '/shipping', { body })).body.shipping;
  }
  await multiply(server.db, server.environment.DATABASE_URL ?? '');
});
afterAll(() => server.stop());

const RUNS = 7; // from the sixth on PostgreSQL may keep a plan that was made without looking at the values
const PAGE = 100; // rows of shipments for a page of fifty, or to find where one starts; the table has 20,020
const ACCOUNT = COPIES + 20;
const FEW = 10; // rows that other connections report late

describe('every read finds its shipments by an index', () => {
  test.each([
    ['first page', () => '/shipping', PAGE],
    ['deep page', () => '/shipping?page=15', PAGE],
    ['cursor', () => `/shipping?cursor=${Buffer.from('before 200').toString('base64url')}`, PAGE],
    ['one day', () => '/shipping?from=2026-01-01&to=2099-01-01', PAGE],
    ['by status', () => '/shipping?status=created', PAGE],
    ['by group', () => `/shipping?groupReference=GROUP-${ACCOUNTS - 1}`, ACCOUNT + PAGE], // all are of the group
    ['by id', () => `/shipping/${shipment._id}`, 1],
    ['by reference', () => `/shipping/reference/${shipment.referenceNumber}`, 1],
    ['tracking', () => `/shipping/tracking/${shipment.referenceNumber}`, 1],
    ['export', () => '/shipping/labels', ACCOUNT],
  ])('%s', async (_name, path, most) => {
    const reads = await readsOf(Object.values(server.pools), async () => {
      for (let i = 0; i < RUNS; i++) expect((await server.call(shop, 'GET', path())).status).toBe(200);
    });
    expect(reads.rows('shipments')).toBeGreaterThanOrEqual(RUNS);
    expect(reads.rows('shipments')).toBeLessThanOrEqual(RUNS * most + FEW);
  });
});

test('statements that are prepared by name are planned once, all others for their values', async () => {
  for (let i = 0; i < RUNS; i++) await server.call(shop, 'GET', `/shipping/${shipment._id}`);
  const { prepared, main } = server.pools;
  const { rows } = await prepared.query('select name, custom_plans as custom from pg_prepared_statements');
  expect(rows).toContainEqual({ name: 'shipments-by-id', custom: 0 });
  expect((await main.query('show plan_cache_mode')).rows).toEqual([{ plan_cache_mode: 'auto' }]);
});
