import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fieldErrors, refusedAs } from '../../../test/envelopes.ts';
import { startFakeGeocoder } from '../../../test/fake-geocoder.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { updateAccount } from './index.ts';

const RIVOLI = { latitude: 48.8606, longitude: 2.3376 };
const ADDRESS = { street: '12 rue de Rivoli', city: 'Paris', postalCode: '75001' };

let geocoder: Awaited<ReturnType<typeof startFakeGeocoder>>;
let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  geocoder = await startFakeGeocoder();
  server = await startTestServer({ GEOCODER_URL: geocoder.url });
});
afterAll(async () => {
  await server.stop();
  await geocoder.stop();
});
beforeEach(async () => {
  account = await server.createAccount();
  geocoder.answerWith(RIVOLI);
  geocoder.requests.length = 0;
  await server.db.deleteFrom('geocoded_addresses').execute();
});

const put = (body: unknown, caller: TestAccount = account) =>
  server.call(caller, 'PUT', '/shipping/pickup-address', { body });
const stored = async (): Promise<unknown> => {
  const { pickupAddressConfigured, pickupAddress } = (await server.call(account, 'GET', '/account')).body.account;
  return { pickupAddressConfigured, pickupAddress };
};

describe('PUT /shipping/pickup-address', () => {
  test('200: the whole address is replaced, France unless said otherwise', async () => {
    const { status, body } = await put({ ...ADDRESS, coordinates: RIVOLI });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      success: true,
      pickupAddress: {
        location: { type: 'Point', coordinates: [2.3376, 48.8606] },
        street: '12 rue de Rivoli',
        city: 'Paris',
        postalCode: '75001',
        country: 'France',
      },
    });
    expect(await stored()).toStrictEqual({ pickupAddressConfigured: true, pickupAddress: body.pickupAddress });

    const elsewhere = { street: 'Rue Neuve 1', city: 'Bruxelles', postalCode: '1000', country: 'Belgique' };
    const moved = await put({ ...elsewhere, coordinates: { latitude: 50.85, longitude: 4.35 } });
    expect(moved.body.pickupAddress).toStrictEqual({
      location: { type: 'Point', coordinates: [4.35, 50.85] },
      ...elsewhere,
    });
  });

  test('200: sets the first address of an account that had none', async () => {
    await server.db.deleteFrom('pickup_addresses').where('account_id', '=', account.id).execute();
    expect(await stored()).toStrictEqual({ pickupAddressConfigured: false, pickupAddress: null });
    expect((await put(ADDRESS)).status).toBe(200);
    expect(await stored()).toMatchObject({ pickupAddressConfigured: true });
  });

  test('200: what was set elsewhere is kept, and cannot be set here', async () => {
    const elsewhere = { formattedAddress: '1 Rue de Rivoli, 75001 Paris', placeId: 'place-1' };
    const pickupAddress = { ...ADDRESS, street: '1 rue de Rivoli', coordinates: RIVOLI, ...elsewhere };
    await updateAccount(server.db, account.id, { pickupAddress }, { locate: async () => null });

    const { body } = await put({ ...ADDRESS, formattedAddress: 'other', placeId: 'other', location: 'other' });
    expect(body.pickupAddress).toStrictEqual({
      location: { type: 'Point', coordinates: [RIVOLI.longitude, RIVOLI.latitude] },
      ...ADDRESS,
      country: 'France',
      ...elsewhere,
    });
    expect(await stored()).toStrictEqual({ pickupAddressConfigured: true, pickupAddress: body.pickupAddress });
  });

  test('200: another account’s address stays as it is', async () => {
    const other = await server.createAccount();
    const before = (await server.call(other, 'GET', '/account')).body;
    await put({ ...ADDRESS, coordinates: RIVOLI });
    expect((await server.call(other, 'GET', '/account')).body).toStrictEqual(before);
  });

  describe('with coordinates', () => {
    test.each([
      RIVOLI,
      { latitude: 0, longitude: 2 },
      { latitude: -90, longitude: 180 },
      { latitude: 90, longitude: 0 },
    ])('200: %j is taken without asking the geocoder', async (coordinates) => {
      const { body } = await put({ ...ADDRESS, coordinates });
      expect(body.pickupAddress.location.coordinates).toEqual([coordinates.longitude, coordinates.latitude]);
      expect(geocoder.requests).toHaveLength(0);
    });

    test('200: 0,0 means unknown and is geocoded', async () => {
      const { body } = await put({ ...ADDRESS, coordinates: { latitude: 0, longitude: -0 } });
      expect(body.pickupAddress.location.coordinates).toEqual([RIVOLI.longitude, RIVOLI.latitude]);
      expect(geocoder.requests).toHaveLength(1);
    });
  });

  describe('without coordinates', () => {
    test('200: each address is geocoded once, for any account and any spelling', async () => {
      const other = await server.createAccount();
      const typed = { street: ' 12  RUE de rivoli', city: 'PARIS', postalCode: '75001', country: 'france' };
      for (const answer of [await put(ADDRESS), await put(ADDRESS), await put(typed, other)]) {
        expect(answer.body.pickupAddress.location.coordinates).toEqual([RIVOLI.longitude, RIVOLI.latitude]);
      }
      expect(geocoder.requests).toHaveLength(1);
      expect(geocoder.requests[0]?.searchParams.get('q')).toBe('12 rue de Rivoli Paris');

      await put({ ...ADDRESS, street: '13 rue de Rivoli' });
      expect(geocoder.requests).toHaveLength(2);
    });

    test('200: an approximate result is used, and geocoded again the next time', async () => {
      geocoder.answerWith({ latitude: 48.85, longitude: 2.35, type: 'municipality' }, RIVOLI);
      expect((await put(ADDRESS)).body.pickupAddress.location.coordinates).toEqual([2.35, 48.85]);
      expect((await put(ADDRESS)).body.pickupAddress.location.coordinates).toEqual([RIVOLI.longitude, RIVOLI.latitude]);
    });

    test.each(['nothing', 'error', 'throttle', 'refusal', 'garbage', 'wrong-shape', 'hang'] as const)(
      '400 PICKUP_ADDRESS_NOT_GEOCODABLE: a geocoder that answers with "%s"; nothing is saved',
      async (answer) => {
        const before = await stored();
        geocoder.answerWith(answer);
        expect(await put(ADDRESS)).toEqual(refusedAs('PICKUP_ADDRESS_NOT_GEOCODABLE'));
        expect(await stored()).toStrictEqual(before);
        geocoder.answerWith(RIVOLI);
        expect((await put(ADDRESS)).status).toBe(200); // a failure is not remembered
      },
    );

    test('400 PICKUP_ADDRESS_NOT_GEOCODABLE: a country that the geocoder does not cover', async () => {
      const abroad = { ...ADDRESS, country: 'Belgique' };
      expect(await put(abroad)).toEqual(refusedAs('PICKUP_ADDRESS_NOT_GEOCODABLE'));
      expect(geocoder.requests).toHaveLength(0);
    });

    test('400 PICKUP_ADDRESS_NOT_GEOCODABLE: nobody listens where the geocoder should be', async () => {
      const gone = await startFakeGeocoder();
      await gone.stop();
      const alone = await startTestServer({ GEOCODER_URL: gone.url });
      try {
        const merchant = await alone.createAccount();
        const before = (await alone.call(merchant, 'GET', '/account')).body;
        const answer = await alone.call(merchant, 'PUT', '/shipping/pickup-address', { body: ADDRESS });
        expect(answer).toEqual(refusedAs('PICKUP_ADDRESS_NOT_GEOCODABLE'));
        expect((await alone.call(merchant, 'GET', '/account')).body).toStrictEqual(before);
      } finally {
        await alone.stop();
      }
    });
  });

  test('200: without a geocoder the town is found offline', async () => {
    const offline = await startTestServer({ GEOCODER_URL: '' });
    try {
      const merchant = await offline.createAccount();
      const { body } = await offline.call(merchant, 'PUT', '/shipping/pickup-address', { body: ADDRESS });
      const [longitude, latitude] = body.pickupAddress.location.coordinates;
      expect(latitude).toBeCloseTo(48.86, 1);
      expect(longitude).toBeCloseTo(2.34, 1);
    } finally {
      await offline.stop();
    }
  });

  describe('400 field errors', () => {
    test.each([
      [{}, ['street', 'city', 'postalCode']],
      [{ ...ADDRESS, street: '   ', city: '' }, ['street', 'city']],
      [{ ...ADDRESS, street: 'x'.repeat(501), postalCode: 75_001 }, ['street', 'postalCode']],
      [{ ...ADDRESS, coordinates: { latitude: 48.86 } }, ['coordinates.longitude']],
      [{ ...ADDRESS, coordinates: { longitude: 2.33 } }, ['coordinates.latitude']],
      [{ ...ADDRESS, coordinates: {} }, ['coordinates.latitude', 'coordinates.longitude']],
      [{ ...ADDRESS, coordinates: { latitude: 90.001, longitude: 0 } }, ['coordinates.latitude']],
      [{ ...ADDRESS, coordinates: { latitude: -90.001, longitude: 0 } }, ['coordinates.latitude']],
      [{ ...ADDRESS, coordinates: { latitude: 0, longitude: 180.001 } }, ['coordinates.longitude']],
      [{ ...ADDRESS, coordinates: { latitude: 0, longitude: -180.001 } }, ['coordinates.longitude']],
      [{ ...ADDRESS, coordinates: { latitude: '48.86', longitude: 2.33 } }, ['coordinates.latitude']],
      [{ ...ADDRESS, coordinates: [48.86, 2.33] }, ['coordinates']],
    ])('%j names %j; nothing is saved and nobody asked', async (body, paths) => {
      const before = await stored();
      expect(await put(body)).toEqual(fieldErrors('body', ...paths));
      expect(await stored()).toStrictEqual(before);
      expect(geocoder.requests).toHaveLength(0);
    });

    test('no body at all names each missing field', async () => {
      expect(await put(undefined)).toEqual(fieldErrors('body', 'street', 'city', 'postalCode'));
    });
  });
});
