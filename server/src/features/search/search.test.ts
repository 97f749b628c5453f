import { readFile } from 'node:fs/promises';
import type { SearchResult } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { fillShipments } from '../../../test/fill-shipments.ts';
import { readsOf } from '../../../test/rows-read.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { workDone } from '../../../test/test-worker.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { updateAccount } from '../accounts/index.ts';

let server: TestServer;
let shop: TestAccount;
let support: TestStaff;
let accountant: TestStaff;
let parcel: { _id: string; referenceNumber: string };
let driver: { id: string };
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ name: 'Librairie de l’Œillet', paymentMode: 'deferred' });
  support = await createTestStaff(server, 'support');
  accountant = await createTestStaff(server, 'accountant');
  driver = await createTestDriver(server.db, { firstName: 'Maëlys' });
  const { deliveryAddress } = shipmentRequest();
  await withWorker(server, async () => {
    parcel = await ship(server, shop, {
      deliveryAddress: {
        ...deliveryAddress,
        recipientName: 'Gwenaëlle Tanguy',
        city: 'Douarnenez',
        phoneNumber: '+33 6 55 44 33 22',
      },
      externalReference: { orderId: 'CMD-20418' },
    });
    await workDone(server);
  });
});
afterAll(() => server.stop());

async function search(text: string, staff = support): Promise<SearchResult[]> {
  const { status, body } = await staff.call('searchConsole', { body: { text } });
  expect(status).toBe(200);
  return body.results;
}

describe('a shipment', () => {
  const ways: [field: string, text: () => string][] = [
    ['reference', () => parcel.referenceNumber.toLowerCase()],
    ['reference', () => parcel.referenceNumber.slice(0, 6)],
    ['order', () => 'cmd-20418'],
    ['recipient', () => 'tanguy'],
    ['recipient', () => 'GWENAELLE T'],
    ['town', () => 'douarn'],
    ['phone', () => '06 55 44'],
    ['phone', () => '+33655443322'],
  ];
  test.each(ways)('is found by its %s', async (field, text) => {
    expect(await search(text())).toEqual([
      {
        ...{ type: 'shipment', id: parcel._id, title: parcel.referenceNumber, matched: field, status: 'created' },
        ...{ account: 'Librairie de l’Œillet', recipient: 'Gwenaëlle Tanguy', town: 'Douarnenez' },
        ...{ orderId: 'CMD-20418', detail: null, isClosed: false },
      },
    ]);
  });

  test('is not found by the middle of a word, nor by one character', async () => {
    expect(await search('anguy')).toEqual([]);
    expect(await search('t')).toEqual([]);
    expect(await search('% _')).toEqual([]);
  });
});

describe('merchants and drivers', () => {
  test('that exist before the migration get the keys that new ones get', async () => {
    const file = await readFile(new URL('../../database/migrations/0026_console_search.sql', import.meta.url), 'utf8');
    const fill = file.slice(file.indexOf('create or replace function'), file.indexOf('create index api_keys_by_hint'));
    const keys = () => server.db.selectFrom('name_keys').selectAll().orderBy('key').orderBy('subject_id').execute();
    const written = await keys();
    expect(written.map(({ key }) => key)).toContain('l oeillet');
    await server.db.deleteFrom('name_keys').execute();
    await sql.raw(fill).execute(server.db);
    expect(await keys()).toEqual(written);
  });

  test('a merchant is found by any word of the name, the e-mail address and the client id, and by a new name', async () => {
    const found = {
      type: 'account',
      id: shop.id,
      title: 'Librairie de l’Œillet',
      matched: 'merchant',
      isClosed: false,
    };
    const { clientId } = shop;
    for (const text of ['librairie', 'oeillet', clientId]) expect(await search(text)).toMatchObject([found]);
    await updateAccount(server.db, shop.id, { name: 'Papeterie' }, {} as never);
    expect(await search('librairie')).toEqual([]);
    expect(await search('papet')).toMatchObject([{ ...found, title: 'Papeterie' }]);
  });

  test('a driver is found by name; a disabled one is marked', async () => {
    const found = { type: 'driver', id: driver.id, title: 'Maëlys Leroy', matched: 'driver' };
    expect(await search('MAË')).toMatchObject([{ ...found, isClosed: false }]);
    await sql`update drivers set disabled_at = now() where id = ${driver.id}`.execute(server.db);
    expect(await search('maelys')).toMatchObject([{ ...found, isClosed: true }]);
  });

  test('a refused request is found by its id, a key by its last characters or its whole text', async () => {
    const headers = { 'x-request-id': 'order-77_retry-3' };
    await server.call(shop, 'POST', '/shipping', { body: {}, headers });
    const merchant = { type: 'account', id: shop.id };
    await eventually(async () =>
      expect(await search('order-77_retry-3')).toMatchObject([
        { ...merchant, matched: 'request', detail: expect.stringMatching(/^POST \/\S* 400/) },
      ]),
    );
    expect(await search(shop.key)).toMatchObject([{ ...merchant, matched: 'key', isClosed: false }]);
    const ending = shop.key.slice(-4);
    expect(await search(`…${ending}`)).toMatchObject([
      { ...merchant, matched: 'key', detail: expect.stringContaining(ending) },
    ]);
  });
});

test('an accountant finds shipments by their numbers, but searches for no person, request or key', async () => {
  expect(await search(parcel.referenceNumber, accountant)).toMatchObject([{ id: parcel._id, recipient: null }]);
  for (const text of ['tanguy', 'douarnenez', '0655443322', 'order-77_retry-3', shop.key])
    expect(await search(text, accountant)).toEqual([]);
});

test('a search appears in no line of the log', async () => {
  await search('Gwenaëlle Tanguy');
  expect(server.logged()).not.toMatch(/Tanguy/i);
});

test('among 10,000 shipments of another merchant a search reads as few rows as among one', async () => {
  const large = await server.createAccount({ name: 'Très grand', paymentMode: 'deferred' });
  await fillShipments(server.db, large.id, 10_000);
  await sql`
    insert into shipment_keys (account_id, field, key, newest_first, shipment_id)
    select account_id, k.field, k.key, -number, id from shipments,
      lateral (values (0, number::text), (1, lower(reference_number)), (2, 'tanguy'), (3, 'douarnenez'), (4, '655443322')) as k (field, key)
    where account_id = ${large.id}`.execute(server.db);
  await sql`vacuum analyze`.execute(server.db);
  for (const text of ['tanguy', 'douarnenez', '06 55 44 33 22']) {
    const reads = await readsOf(Object.values(server.pools), () => search(text));
    expect([text, reads.rows('shipments')]).toEqual([text, expect.toSatisfy((rows: number) => rows <= 20)]);
    expect([text, reads.rows('shipment_keys')]).toEqual([text, expect.toSatisfy((rows: number) => rows <= 40)]);
  }
});
