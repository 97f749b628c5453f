import { MAX_SAVED_ADDRESSES } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { type FakeGeocoder, startFakeGeocoder } from '../../../test/fake-geocoder.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { eraseOldRecords } from '../personal-data/erase-old-records.ts';
import { createSuggestions } from './suggest-addresses.ts';

const DAY = 86_400_000;
let geocoder: FakeGeocoder;
let server: TestServer;
let shop: TestAccount;
let member: TestMember;
beforeAll(async () => {
  geocoder = await startFakeGeocoder();
  server = await startTestServer({ GEOCODER_URL: geocoder.url });
  shop = await server.createAccount({ paymentMode: 'deferred' });
  member = await createTestMember(server, shop.id, 'operations');
});
afterEach(() => server.setNow(null));
afterAll(async () => {
  await server.stop();
  await geocoder.stop();
});

const CAMILLE = {
  ...shipmentRequest().deliveryAddress,
  recipientName: 'Camille Dœuf-Éluard',
  email: 'camille@example.org',
};
const save = (body: typeof CAMILLE, by = member) => by.call('saveAddress', { body });
const find = async (search?: string, by = member) => {
  const { body } = await by.call('listAddresses', { query: search === undefined ? {} : { search } });
  return body.addresses.map(({ recipientName }: { recipientName: string }) => recipientName);
};

describe('the address book', () => {
  test('saves a person at a place once, and finds words of it without accents or case', async () => {
    const [first, again] = [await save(CAMILLE), await save({ ...CAMILLE, phoneNumber: '+33600000000' })];
    expect([first.status, again.status, again.body.address.id]).toEqual([201, 201, first.body.address.id]);
    await save({ ...CAMILLE, recipientName: 'Zoé Martin', email: 'zoe@example.org' });
    expect(await find()).toEqual(['Camille Dœuf-Éluard', 'Zoé Martin']);
    for (const search of ['camille doeuf', 'ELUARD cam', 'camille@ex', `${CAMILLE.postalCode} doeuf`])
      expect([search, await find(search)]).toEqual([search, ['Camille Dœuf-Éluard']]);
    for (const search of ['100%', '_', 'martin camille']) expect([search, await find(search)]).toEqual([search, []]);
  });

  test('is changed and deleted by those who ship, and foreign addresses do not exist', async () => {
    const account = await server.createAccount();
    const owner = await createTestMember(server, account.id, 'owner');
    const [{ id }, other] = [
      (await save(CAMILLE, owner)).body.address,
      await save({ ...CAMILLE, city: 'Lyon' }, owner),
    ];
    const body = { ...CAMILLE, street: '9 quai Neuf', country: 'Belgique' };
    for (const stranger of [member]) {
      expect((await stranger.call('changeAddress', { params: { id }, body })).status).toBe(404);
      expect((await stranger.call('deleteAddress', { params: { id } })).status).toBe(404);
    }
    const reader = await createTestMember(server, account.id, 'read-only');
    expect((await reader.call('listAddresses')).body.error).toBe('ROLE_NOT_ALLOWED');
    const changed = await owner.call('changeAddress', { params: { id }, body });
    expect(changed.body.address).toMatchObject({ id, street: '9 quai Neuf', country: 'Belgique' });
    const taken = await owner.call('changeAddress', { params: { id: other.body.address.id }, body });
    expect(taken.body.error).toBe('ADDRESS_SAVED_ALREADY');
    expect((await owner.call('deleteAddress', { params: { id } })).status).toBe(200);
    expect((await owner.call('deleteAddress', { params: { id } })).status).toBe(404);
    expect((await owner.call('changeAddress', { params: { id: 'x' }, body })).status).toBe(404);
  });

  test('is full at its limit, also for concurrent requests, and known people can still be saved', async () => {
    const account = await server.createAccount();
    const owner = await createTestMember(server, account.id, 'owner');
    await save(CAMILLE, owner);
    await sql`
      insert into saved_addresses (account_id, id, identity, address, search, used_at)
      select account_id, gen_random_uuid(), sha256(n::text::bytea), address, search, used_at
      from saved_addresses, generate_series(1, ${MAX_SAVED_ADDRESSES - 3}) n where account_id = ${account.id}`.execute(
      server.db,
    );
    const outcomes = await Promise.all(
      ['A', 'B', 'C', 'D', 'E'].map((name) => save({ ...CAMILLE, recipientName: name }, owner)),
    );
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409]);
    expect((await save(CAMILLE, owner)).status).toBe(201);
  });

  test('forgets whom nobody ships to for the retention of a shipment; a shipment starts it again', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    const owner = await createTestMember(server, account.id, 'owner');
    const unused = { ...CAMILLE, recipientName: 'Jamais Livré' };
    for (const address of [CAMILLE, unused]) await save(address, owner);
    server.setNow(new Date(Date.now() + 200 * DAY));
    const later = await createTestMember(server, account.id, 'owner');
    const created = await later.call('createShipment', {
      headers: { 'x-idempotency-key': `use-${account.id}` },
      body: shipmentRequest({ deliveryAddress: CAMILLE }),
    });
    expect(created.status).toBe(201);
    await eraseOldRecords(server.db, 396, new Date(Date.now() + 400 * DAY));
    server.setNow(null);
    expect(await find('', owner)).toEqual(['Camille Dœuf-Éluard']);
  });
});

describe('the completion of an address', () => {
  const suggest = async (text: string, kind: 'address' | 'town' = 'address') =>
    (await member.call('suggestAddresses', { query: { text, kind } })).body.suggestions;

  test('lists towns by postal code or name, offline', async () => {
    expect(await suggest('69002', 'town')).toEqual([
      { street: null, postalCode: '69002', city: 'Lyon', coordinates: null },
    ]);
    const named = await suggest('saint-étienne', 'town');
    expect(named[0]).toMatchObject({ city: 'Saint-Etienne', postalCode: '42000' });
    expect(await suggest('?', 'town')).toEqual([]);
    expect(geocoder.requests).toEqual([]);
  });

  test('asks the geocoder once for the same text, and returns exact places with their coordinates', async () => {
    const properties = { score: 0.9, name: '12 Rue Oberkampf', postcode: '75011', city: 'Paris', type: 'housenumber' };
    geocoder.answerWith({ latitude: 48.86, longitude: 2.37, properties });
    const expected = [
      {
        street: '12 Rue Oberkampf',
        postalCode: '75011',
        city: 'Paris',
        coordinates: { latitude: 48.86, longitude: 2.37 },
      },
    ];
    expect(await suggest('12 rue ober')).toEqual(expected);
    expect(await suggest(' 12  rue OBER ')).toEqual(expected);
    expect(geocoder.requests.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
      { q: '12 rue ober', autocomplete: '1', limit: '6' },
    ]);
    geocoder.requests.length = 0;
    expect(await suggest('12')).toEqual([]); // too short
    expect(geocoder.requests).toEqual([]);
  });

  test('is empty while the geocoder fails, and for a member who asks too often', async () => {
    geocoder.answerWith('error');
    expect(await suggest('1 rue qui tombe')).toEqual([]);
    const busy = { take: async () => ({ exhausted: 'minute', remaining: 0, resetsAt: 0 }) as const, degraded: false };
    const source = { addresses: () => expect.fail('the geocoder was asked'), towns: async () => [] };
    expect(await createSuggestions(source, busy, server.app.log)('member', { text: '1 rue', kind: 'address' })).toEqual(
      [],
    );
  });
});
