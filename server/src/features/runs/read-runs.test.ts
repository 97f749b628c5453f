import { DRIVER_ENDPOINTS } from '@navette/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { faultsIn } from '../../../test/contract-faults.ts';
import { factsOf, ship, standAt } from '../../../test/dispatched.ts';
import { connectApp, createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';
import { assignAnyShipment } from '../dispatch/index.ts';

const WAIT = { timeout: 240_000, interval: 30 };
const HOUR_MS = 3_600_000;
const NOTES = 'Code porte 12B';
/** All personal data of the requests below, as it would appear in a response. */
const PERSONAL =
  /Camille|Durand|avenue de l’Opéra|\+336|Code porte|48\.8638|2\.3345|Léa|rue des Lilas|47\.2101|-1\.5502/;
const collection = {
  isCollection: true,
  collectionContact: { phoneNumber: '+33698765432', email: 'contact@example.org', name: 'Léa' },
  pickupAddress: {
    street: '3 rue des Lilas',
    city: 'Nantes',
    postalCode: '44000',
    coordinates: { latitude: 47.2101, longitude: -1.5502 },
  },
};

let server: TestServer;
let worker: TestWorker;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_OFFER_SECONDS: '600', DISPATCH_RETRY_SECONDS: '1' });
  shop = await server.createAccount({ paymentMode: 'deferred' });
  worker = await startTestWorker(server);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});
afterEach(() => server.setNow(null));

async function offerTo(driver: TestDriver, id: string) {
  return vi.waitFor(async () => {
    const { body } = await overHttp(server.url, driver)('listOffers');
    expect(faultsIn({ ...DRIVER_ENDPOINTS.listOffers } as never, 200, body)).toEqual([]);
    const [offer] = body.offers.filter(({ shipping }: { shipping: { id: string } }) => shipping.id === id);
    expect(offer).toBeDefined();
    return offer;
  }, WAIT);
}

async function driverAtTheShop(): Promise<TestDriver> {
  const driver = await createTestDriver(server.db);
  await standAt(server, driver, 0.5);
  return driver;
}

describe('an offer', () => {
  test('shows town, postal code, distances and weight, and no personal data until it is accepted', async () => {
    const driver = await driverAtTheShop();
    const app = await connectApp(server.url, driver);
    const { _id: id } = await ship(server, shop, { notes: NOTES });
    const offer = await offerTo(driver, id);
    expect(offer).toMatchObject({
      distanceKm: 0.5,
      deliveryDistanceKm: 2.1,
      shipping: {
        pickup: { street: expect.any(String), coordinates: { latitude: expect.any(Number) } }, // the shop's
        delivery: {
          street: null,
          city: 'Paris',
          postalCode: '75001',
          country: 'France',
          coordinates: null,
          recipientName: null,
          phoneNumber: null,
        },
        collectionContact: null,
        parcel: { weight: 2.5, nature: 'Vêtements' },
        notes: null,
        assignedAt: null,
      },
    });
    const offers = [offer, (await app.send('listOffers')).body];
    await vi.waitFor(() => expect(app.received.map(({ push }) => push)).toContain('offer'), WAIT);
    for (const seen of [...offers, app.received]) expect(JSON.stringify(seen)).not.toMatch(PERSONAL);
    expect((await app.send('readShipment', { id })).status).toBe(404);

    const { status, body } = await app.send('acceptOffer', { id });
    expect(status).toBe(200);
    expect(body.shipping).toMatchObject({
      delivery: {
        street: '8 avenue de l’Opéra',
        coordinates: { latitude: 48.8638, longitude: 2.3345 },
        recipientName: 'Camille Durand',
        phoneNumber: '+33612345678',
      },
      notes: NOTES,
    });
    app.close();
  });

  test('of a collection shows neither the address nor the contact of the sender', async () => {
    const driver = await createTestDriver(server.db);
    await overHttp(server.url, driver)('sendPosition', { latitude: 47.21, longitude: -1.55 });
    const { _id: id } = await ship(server, shop, { ...collection, notes: NOTES });
    const offer = await offerTo(driver, id);
    expect(offer).toMatchObject({
      distanceKm: 0,
      deliveryDistanceKm: expect.any(Number),
      shipping: {
        isCollection: true,
        pickup: { street: null, city: 'Nantes', postalCode: '44000', coordinates: null },
        collectionContact: null,
      },
    });
    expect(JSON.stringify(offer)).not.toMatch(PERSONAL);
    const { body } = await overHttp(server.url, driver)('acceptOffer', { id });
    expect(body.shipping).toMatchObject({
      pickup: { street: '3 rue des Lilas', coordinates: { latitude: 47.2101, longitude: -1.5502 } },
      collectionContact: { name: 'Léa', phoneNumber: '+33698765432' },
    });
  });

  test.each(['refused', 'expired'] as const)('that was %s shows nothing any more', async (end) => {
    const driver = await driverAtTheShop();
    const send = overHttp(server.url, driver);
    const { _id: id } = await ship(server, shop);
    await offerTo(driver, id);
    if (end === 'refused') await send('refuseOffer', { id });
    else server.setNow(new Date(Date.now() + 601_000));
    expect((await send('listOffers')).body.offers).toEqual([]);
    expect((await send('readShipment', { id })).status).toBe(404);
    server.setNow(null);
    await server.call(shop, 'PUT', `/shipping/${id}/cancel`);
  });
});

describe('a run that has ended', () => {
  async function runOf(driver: TestDriver) {
    const { _id: id, referenceNumber } = await ship(server, shop, { ...collection, notes: NOTES });
    const context = { db: server.db, jobs: server.jobs, config: server.config, now: new Date() };
    expect(await assignAnyShipment(context, referenceNumber, driver.id)).toMatchObject({ outcome: 'done' });
    return { id, code: (await factsOf(server, id)).code };
  }

  test.each(['delivered', 'cancelled'] as const)(
    '%s: shows its driver personal data for 48 hours, then as much as an offer',
    async (end) => {
      const driver = await createTestDriver(server.db);
      const send = overHttp(server.url, driver);
      const { id, code } = await runOf(driver);
      const ended = new Date();
      server.setNow(ended);
      if (end === 'delivered') await send('deliver', { id, deliveryCode: code });
      else await server.call(shop, 'PUT', `/shipping/${id}/cancel`);

      server.setNow(new Date(ended.getTime() + 48 * HOUR_MS - 1));
      const before = (await send('readShipment', { id })).body.shipping;
      expect(before).toMatchObject({
        status: end,
        delivery: { recipientName: 'Camille Durand', street: '8 avenue de l’Opéra' },
        collectionContact: { name: 'Léa' },
        notes: NOTES,
      });

      server.setNow(new Date(ended.getTime() + 48 * HOUR_MS));
      const { status, body } = await send('readShipment', { id });
      expect(faultsIn({ ...DRIVER_ENDPOINTS.readShipment } as never, 200, body)).toEqual([]);
      expect({ status, city: body.shipping.delivery.city }).toEqual({ status: 200, city: 'Paris' });
      expect(body.shipping).toMatchObject({ status: end, assignedAt: before.assignedAt, notes: null });
      expect(JSON.stringify(body)).not.toMatch(PERSONAL);
    },
  );

  test('that is still active shows personal data, however old it is', async () => {
    const driver = await createTestDriver(server.db);
    const { id } = await runOf(driver);
    server.setNow(new Date(Date.now() + 10 * 24 * HOUR_MS));
    const { body } = await overHttp(server.url, driver)('listShipments');
    expect(body.shippings).toMatchObject([{ id, delivery: { recipientName: 'Camille Durand' }, notes: NOTES }]);
  });
});
