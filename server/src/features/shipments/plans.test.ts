import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

const ACCOUNTS = 20;
const COPIES = 1_000;

let server: TestServer;
let shop: TestAccount;
let shipment: { _id: string; referenceNumber: string };
const statements: { text: string; values: unknown[] }[] = [];

/** Every statement that the reads send, as the driver gets it. */
function record(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((query: string | { text: string; values?: unknown[] }, ...rest: unknown[]) => {
      const { text, values = rest[0] } = typeof query === 'string' ? { text: query } : query;
      statements.push({ text, values: Array.isArray(values) ? values : [] });
      return send(query, ...rest);
    }) as typeof client.query;
  });
}

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
  for (const pool of Object.values(server.pools)) record(pool);
  // Connections that are open already are not recorded: make them go.
  await server.db.executeQuery({
    sql: 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    parameters: [],
    query: { kind: 'RawNode' } as never,
    queryId: { queryId: 'cut' } as never,
  });
});
afterAll(() => server.stop());

describe('every read finds its shipments by an index', () => {
  test.each([
    ['first page', () => '/shipping'],
    ['deep page', () => '/shipping?page=15'],
    ['cursor', () => `/shipping?cursor=${Buffer.from('before 200').toString('base64url')}`],
    ['one day', () => '/shipping?from=2026-01-01&to=2099-01-01'],
    ['by status', () => '/shipping?status=created'],
    ['by group', () => `/shipping?groupReference=GROUP-${ACCOUNTS - 1}`],
    ['by id', () => `/shipping/${shipment._id}`],
    ['by reference', () => `/shipping/reference/${shipment.referenceNumber}`],
    ['tracking', () => `/shipping/tracking/${shipment.referenceNumber}`],
    ['export', () => '/shipping/labels'],
  ])('%s', async (_name, path) => {
    statements.length = 0;
    await expect.poll(async () => (await server.call(shop, 'GET', path())).status).toBe(200);
    const reads = statements.filter(({ text }) => /from\s+"?shipments|join shipments/.test(text));
    expect(reads).not.toEqual([]);

    const client = new pg.Client({ connectionString: server.environment.DATABASE_URL });
    await client.connect();
    for (const { text, values } of reads) {
      const query = /^copy \(([\s\S]+)\) to stdout/.exec(text)?.[1] ?? text;
      const { rows } = await client.query(`explain ${query}`, values);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index (Only )?Scan.* on shipments/);
      expect(plan).not.toContain('Seq Scan on shipments');
    }
    await client.end();
  });
});
