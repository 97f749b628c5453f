import readline from 'node:readline';
import type { ShipmentFilters, ShipmentsQuery } from '@navette/contract';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { workDone } from '../../../test/test-worker.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { exportShipments } from './export-shipments-csv.ts';
import { findPrintableIds } from './find-printable-ids.ts';
import { listShipments } from './list-shipment-lines.ts';

const MANY = 50_000;
const MOST_READ = 400; // rows for a page of 50, whatever the account holds

let server: TestServer;
let shop: TestAccount;
let member: TestMember;
let stranger: TestMember;

interface Wish {
  orderId?: string;
  name?: string;
  city?: string;
  group?: string;
  collection?: boolean;
}
async function create({ orderId, name, city, group, collection }: Wish, account = shop): Promise<string> {
  const request = shipmentRequest();
  const { body } = await server.call(account, 'POST', '/shipping', {
    body: {
      ...request,
      deliveryAddress: { ...request.deliveryAddress, recipientName: name ?? 'Paul Petit', city: city ?? 'Lyon' },
      ...(orderId ? { externalReference: { orderId } } : {}),
      ...(group ? { groupReference: group } : {}),
      ...(collection
        ? { isCollection: true, collectionContact: { phoneNumber: '+33600000000', email: 'a@example.org' } }
        : {}),
    },
  });
  return body.shipping._id;
}
const list = async (query: Record<string, unknown>, who = member) =>
  (await who.call('listShipments', { query: query as never })).body;
const idsOf = async (query: Record<string, unknown>, who = member): Promise<string[]> =>
  (await list(query, who)).shipments.map(({ id }: { id: string }) => id);

/** Every page, as the « more » button loads them. */
async function walk(query: Record<string, unknown>, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined, pages = 0; pages < 500; pages++) {
    const page = await list({ ...query, limit, cursor });
    ids.push(...page.shipments.map(({ id }: { id: string }) => id));
    if (page.nextCursor === null) return ids;
    cursor = page.nextCursor;
  }
  throw new Error('the list has no end');
}

beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  const other = await server.createAccount({ paymentMode: 'deferred' });
  [member, stranger] = await Promise.all([
    createTestMember(server, shop.id, 'read-only'),
    createTestMember(server, other.id),
  ]);
});
afterAll(() => server.stop());

describe('finding', () => {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    ids.town = await create({ city: 'Martinique' });
    ids.longer = await create({ name: 'Zoé Martinet' });
    ids.first = await create({ name: 'Martin Durand' });
    ids.last = await create({ name: 'Zoé MARTÌN' });
    ids.order = await create({ orderId: 'MARTIN-7' });
    ids.other = await create({ orderId: '2041', name: 'Émile Œuf', group: 'LOT-1', collection: true });
    await withWorker(server, () => workDone(server));
  });

  test('order comes before recipient, recipient before town, exact before longer', async () => {
    expect(await idsOf({ search: 'martin' })).toEqual([ids.order, ids.last, ids.first, ids.longer, ids.town]);
  });

  test.each(['2041', '204', ' 2041 ', 'oeuf', 'EMILE', 'émile œuf'])('%j finds its shipment', async (search) => {
    expect(await idsOf({ search })).toEqual([ids.other]);
  });

  test('a reference is found whole or by how it begins, in small letters too', async () => {
    const [line] = (await list({ search: '2041' })).shipments;
    expect(await idsOf({ search: line.referenceNumber.toLowerCase() })).toEqual([ids.other]);
    expect(await idsOf({ search: line.referenceNumber.slice(0, 8) })).toContain(ids.other);
  });

  test('the pages together contain every match once', async () => {
    expect(await walk({ search: 'martin' }, 1)).toEqual([ids.order, ids.last, ids.first, ids.longer, ids.town]);
    expect(await walk({ search: 'mart' }, 2)).toHaveLength(5);
    expect(await walk({}, 4)).toHaveLength(6);
  });

  test('filters narrow a search and each other', async () => {
    await moveShipment(server, shop, ids.last ?? '', 'cancel');
    expect(await idsOf({ search: 'martin', status: 'cancelled' })).toEqual([ids.last]);
    expect(await idsOf({ status: 'cancelled,created' })).toHaveLength(6);
    expect(await idsOf({ status: 'cancelled' })).toEqual([ids.last]);
    expect(await idsOf({ kind: 'collection' })).toEqual([ids.other]);
    expect(await idsOf({ kind: 'delivery', status: 'created' })).toHaveLength(4);
    expect(await idsOf({ groupReference: 'LOT-1' })).toEqual([ids.other]);
    expect(await idsOf({ groupReference: 'LOT-1', kind: 'delivery' })).toEqual([]);
    expect(await idsOf({ search: 'martin', from: '2099-01-01' })).toEqual([]);
    expect(await idsOf({ to: '2020-01-01' })).toEqual([]);
    expect((await list({})).counts).toMatchObject({ created: 5, cancelled: 1, delivered: 0 });
  });

  test('finds all matches for one file, in list order, unless they exceed its limit', async () => {
    const find = (filters: ShipmentFilters, most: number) =>
      findPrintableIds(server.pools.prepared, shop.id, filters, { timeZone: 'Europe/Paris', now: new Date() }, most);
    expect(await find({ search: 'martin' }, 5)).toEqual(await idsOf({ search: 'martin' }));
    expect(await find({ search: 'martin' }, 4)).toBeNull();
    expect(await find({ groupReference: 'LOT-1' }, 4)).toEqual([ids.other]);
    expect((await member.call('printLabels', { body: { filters: { groupReference: 'LOT-9' } } })).status).toBe(404);
  });

  test('another account finds nothing of it, by search, list, id or status', async () => {
    expect(await idsOf({ search: 'martin' }, stranger)).toEqual([]);
    expect(await idsOf({}, stranger)).toEqual([]);
    const id = ids.other ?? '';
    expect((await stranger.call('readShipment', { params: { id } })).status).toBe(404);
    expect((await stranger.call('readStatuses', { query: { ids: id } })).body.statuses).toEqual([]);
    expect((await stranger.call('readLabel', { params: { id } })).status).toBe(404);
    expect((await stranger.call('printLabels', { body: { ids: [id] } })).status).toBe(404);
  });

  test('what is on screen is asked for again by id', async () => {
    const { body } = await member.call('readStatuses', { query: { ids: `${ids.last},${ids.other},nonsense` } });
    expect(body.statuses).toHaveLength(2);
    expect(body.statuses).toContainEqual({
      id: ids.last,
      status: 'cancelled',
      arrival: null,
      updatedAt: expect.stringMatching(/^20.*Z$/),
    });
  });

  test.each([
    { cursor: 'nonsense' },
    { cursor: Buffer.from('{"number":1,"field":9,"key":"a"}').toString('base64url') },
    { cursor: Buffer.from('{"due":1}').toString('base64url') },
  ])('an invalid cursor is a field error: %j', async (query) => {
    expect(await list(query)).toMatchObject({ errors: [{ path: 'cursor', location: 'query' }] });
  });
});

describe(`an account of ${MANY} shipments`, () => {
  let large: TestAccount;
  let reader: TestMember;
  beforeAll(async () => {
    large = await server.createAccount({ paymentMode: 'deferred' });
    reader = await createTestMember(server, large.id);
    await create({ orderId: 'first', name: 'Rare Oiseau', city: 'Brest', group: 'ONE' }, large);
    await withWorker(server, () => workDone(server));
    await multiply(large.id);
  });

  test.each<[string, ShipmentsQuery]>([
    ['the first page', {}],
    ['an exact order', { search: '30000' }],
    ['the beginning of very many orders', { search: '3' }],
    ['a name that half the account has', { search: 'martin' }],
    ['a town that all have', { search: 'paris' }],
    ['what nobody has', { search: 'zzz' }],
    ['a rare status among the others', { status: 'cancelled,delivered' }],
    ['a rare group', { groupReference: 'ONE' }],
    ['collections, of which there are none', { kind: 'collection' }],
    ['one day', { from: '2026-01-01', to: '2026-01-01' }],
    ['the oldest', { order: 'oldest' }],
    ['the oldest of a status', { order: 'oldest', status: 'created' }],
    ['the earliest deliveries', { order: 'earliest_delivery' }],
    ['the latest deliveries', { order: 'latest_delivery' }],
    ['the deliveries of a day', { delivery: '2026-01-01' }],
    ['the deliveries of a day with a status', { delivery: '2026-01-01', status: 'created,assigned' }],
    ['the deliveries of tomorrow', { delivery: 'tomorrow' }],
    ['late ones of a rare status', { late: 'yes', status: 'in_transit' }],
  ])('%s costs what it shows', async (_what, query) => {
    const { read, page } = await rowsReadFor(large.id, { ...query, limit: 50 });
    expect(read).toBeGreaterThanOrEqual(page.shipments.length);
    expect(read).toBeLessThan(MOST_READ);
  });

  test('a deep page of a search costs what the first does', async () => {
    let cursor = (await list({ search: 'martin', limit: 100 }, reader)).nextCursor;
    for (let i = 0; i < 20; i++) cursor = (await list({ search: 'martin', limit: 100, cursor }, reader)).nextCursor;
    const { read, page } = await rowsReadFor(large.id, { search: 'martin', limit: 50, cursor });
    expect(page.shipments).toHaveLength(50);
    expect(read).toBeLessThan(MOST_READ);
  });

  test('conditions that almost nothing meets end a page early instead of reading everything', async () => {
    const { read, page } = await rowsReadFor(large.id, { search: 'martin', status: 'delivered' });
    expect(page).toMatchObject({ shipments: [], nextCursor: expect.any(String) });
    expect(read).toBeLessThan(15_000);
    const late = await rowsReadFor(large.id, { late: 'yes', limit: 50 });
    expect(late.read).toBeLessThan(15_000);
  });

  test('its file is read on demand, a thousand rows at a time, and contains every shipment once', async () => {
    let statements = 0;
    const counting = {
      query: (query: pg.QueryConfig) => {
        statements++;
        return server.pools.exports.query(query);
      },
    };
    const file = await exportShipments(counting as unknown as pg.Pool, large.id, {}, 'fr', {
      timeZone: 'Europe/Paris',
      now: new Date(),
    });
    const lines = readline.createInterface({ input: file })[Symbol.asyncIterator]();
    const orders = new Set<string | undefined>();
    await lines.next(); // the heads
    expect(statements).toBeLessThan(20); // of about 100: nothing is read ahead of the consumer
    for (let line = await lines.next(); !line.done; line = await lines.next()) orders.add(line.value.split(';')[0]);
    expect(orders.size).toBe(MANY + 1);
  });

  /** The one shipment over and over, with other numbers, orders and names, as the worker would have made them findable. */
  async function multiply(accountId: string): Promise<void> {
    const { rows } = await sql<{ names: string }>`
      select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns where table_name = 'shipments'
        and column_name not in ('id', 'number', 'reference_number', 'order_id', 'delivery_address', 'group_reference')`.execute(
      server.db,
    );
    const names = sql.raw(rows[0]?.names ?? '');
    await sql`
      insert into shipments (id, number, reference_number, order_id, delivery_address, ${names})
      select gen_random_uuid(), s.number + n, 'M' || n, n::text,
        jsonb_build_object('recipientName', case when n % 2 = 0 then 'Zoe Martin' else 'Ali Ba' end, 'city', 'Paris') || (s.delivery_address::jsonb - 'recipientName' - 'city'),
        ${names}
      from shipments s, generate_series(1, ${MANY}) n where s.account_id = ${accountId}`.execute(server.db);
    await sql`
      insert into shipment_keys (account_id, field, key, newest_first)
      select s.account_id, k.field, k.key, -s.number from shipments s, lateral (
        values (0, s.order_id), (1, lower(s.reference_number)), (3, 'paris'),
          (2, lower(s.delivery_address ->> 'recipientName')), (2, split_part(lower(s.delivery_address ->> 'recipientName'), ' ', 2))
      ) as k (field, key) where s.account_id = ${accountId} and s.number > 1`.execute(server.db);
    await sql`update account_counters set last_shipment = ${MANY + 1} where account_id = ${accountId}`.execute(
      server.db,
    );
    await sql`analyze shipments, shipment_keys`.execute(server.db);
  }
});

/** Rows of shipments and keys that PostgreSQL looked at for a page, found by index or not. */
async function rowsReadFor(accountId: string, query: ShipmentsQuery) {
  const client = await server.pools.prepared.connect();
  const readSoFar = async () => {
    const { rows } = await client.query<{ read: string }>(`
      select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as read
      from pg_stat_xact_user_tables where relname in ('shipments', 'shipment_keys')`);
    return Number(rows[0]?.read);
  };
  try {
    await client.query('begin'); // what is counted is not handed over, and so not forgotten, before the end
    const before = await readSoFar();
    const page = await listShipments(client as unknown as pg.Pool, accountId, query, {
      timeZone: 'Europe/Paris',
      arrivals: { ofDrivers: async () => new Map() },
      now: new Date(),
    });
    const read = (await readSoFar()) - before;
    await client.query('rollback');
    return { read, page };
  } finally {
    client.release();
  }
}
