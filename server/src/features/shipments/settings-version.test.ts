import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createAccountDirectory, updateAccount } from '../accounts/index.ts';
import { createShipment } from './create-shipment.ts';
import { buildCreationContext } from './index.ts';

const ADDRESS = { street: '2 quai Neuf', city: 'Lyon', postalCode: '69001' };
const POINT = { coordinates: { latitude: 45.7675, longitude: 4.8336 } };

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred', timeSlots: [{ label: '9h-12h' }] });
});
afterAll(() => server.stop());

const change = (input: Parameters<typeof updateAccount>[2]) =>
  updateAccount(server.db, shop.id, input, { locate: async () => null });

test('a creation detects changed settings whatever the clock of the process that changed them', async () => {
  const { pools, jobs, tracer, config, db } = server;
  await sql`update accounts set updated_at = now() + interval '1 hour' where id = ${shop.id}`.execute(db); // a clock ahead
  const directory = createAccountDirectory(db, pools.prepared);
  const remembered = await directory.currentSettingsOf(shop.id);
  await server.call(shop, 'PUT', '/shipping/pickup-address', { body: { ...ADDRESS, ...POINT } });

  const accounts = { ...directory, settingsOf: async () => remembered };
  const creation = buildCreationContext({ ...config, pools, jobs, accounts, tracer, now: () => new Date() });
  const provenance = { source: 'api', idempotencyKey: null } as const;
  const { shipment } = await createShipment(creation, shop.id, shipmentRequest(), provenance);
  expect(shipment.pickupAddress).toMatchObject(ADDRESS);
});

describe('the version of an account’s settings', () => {
  const versionOf = async () => {
    const directory = createAccountDirectory(server.db, server.pools.prepared);
    return (await directory.currentSettingsOf(shop.id)).settingsVersion;
  };

  test.each([
    ['a setting', () => change({ minimumPrice: 9 })],
    [
      'the pickup address',
      () => server.call(shop, 'PUT', '/shipping/pickup-address', { body: { ...ADDRESS, ...POINT } }),
    ],
    ['a slot that is added', () => change({ timeSlots: [{ label: '9h-12h' }, { label: '14h-16h' }] })],
    ['a slot that is taken away by hand', () => sql`delete from time_slots where label = '14h-16h'`.execute(server.db)],
  ])('increases with %s', async (_, act) => {
    const before = await versionOf();
    await act();
    expect(await versionOf()).toBeGreaterThan(before);
  });

  test('stays when money moves', async () => {
    const before = await versionOf();
    await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
    expect(await versionOf()).toBe(before);
  });

  test('does not let the operator’s change and the merchant’s deadlock', async () => {
    const changes = Array.from({ length: 20 }, (_, i) => [
      change({ minimumPrice: 10 + i, pickupAddress: { ...ADDRESS, ...POINT } }),
      server.call(shop, 'PUT', '/shipping/pickup-address', { body: { ...ADDRESS, ...POINT } }),
    ]);
    for (const outcome of await Promise.all(changes.flat())) {
      expect(outcome === true || (outcome !== false && outcome.status === 200)).toBe(true);
    }
  });
});
