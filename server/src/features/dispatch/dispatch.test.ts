import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { crowd } from '../../../test/crowd.ts';
import { factsOf, openOffers, ship, standAt } from '../../../test/dispatched.ts';
import { connectApp, createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { makeDue } from '../../../test/orphaned-jobs.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';
import { searchDriverJob } from '../../jobs/definitions.ts';
import { disableDriver } from '../drivers/index.ts';
import { assignAnyShipment, explainAnyShipment, listAnyUnassigned, listAnyWithoutLocation } from './index.ts';

const WAIT = { timeout: 240_000, interval: 30 };
const SETTINGS = {
  DISPATCH_RADIUS_KM: '2,5',
  DISPATCH_WAVE_SIZE: '2',
  DISPATCH_OFFER_SECONDS: '600', // no offer expires by itself within a test
  DISPATCH_RETRY_SECONDS: '1',
  DISPATCH_RUNS_PER_DRIVER: '2',
};

let server: TestServer;
let worker: TestWorker;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer(SETTINGS);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  worker = await startTestWorker(server);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

let drivers: TestDriver[] = [];
beforeEach(() => {
  drivers = [];
});
// Takes drivers off the map and ends searches, so that a test does not affect the next one.
afterEach(async () => {
  for (const driver of drivers) await overHttp(server.url, driver)('setAvailability', { available: false });
  const open = await server.db
    .selectFrom('shipments')
    .select('id')
    .where('account_id', '=', shop.id)
    .where('status', 'in', ['programmed', 'created', 'assigned'])
    .execute();
  for (const { id } of open) await server.call(shop, 'PUT', `/shipping/${id}/cancel`);
});

async function createDriverAt(km: number, given: Parameters<typeof createTestDriver>[1] = {}): Promise<TestDriver> {
  const driver = await createTestDriver(server.db, given);
  drivers.push(driver);
  await standAt(server, driver, km);
  return driver;
}

const offeredTo = (shipmentId: string, ...expected: TestDriver[]) =>
  vi.waitFor(async () => expect(await openOffers(server, shipmentId)).toEqual(expected.map(({ id }) => id)), WAIT);
const operatorContext = () => ({ db: server.db, jobs: server.jobs, config: server.config, now: new Date() });

/** Simulates two minutes without a ping. */
async function deletePositionOf({ id }: TestDriver): Promise<void> {
  const redis = new Redis(server.config.redisUrl);
  const deleted = await redis.del(`${server.config.redisPrefix}drivers:position:${id}`);
  redis.disconnect();
  if (deleted !== 1) throw new Error('there was no position');
}
const explain = async (reference: string) =>
  ((await explainAnyShipment(server.db, reference))?.lines ?? []).map(({ text }) => text);
const navette = async (...args: string[]) => {
  const { code, stdout, stderr } = await runNavette([...args, '--json'], server.environment);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

describe('an express shipment', () => {
  test('is offered to the nearest drivers within the first wave’s radius, and the first to accept gets it', async () => {
    const [far, near, nearer, outside] = [
      await createDriverAt(1.5),
      await createDriverAt(1),
      await createDriverAt(0.5),
      await createDriverAt(4),
    ];
    const loser = await connectApp(server.url, nearer);
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, nearer, near);
    await vi.waitFor(() => expect(loser.received.map(({ push }) => push)).toContain('offer'), WAIT);

    const { body } = await overHttp(server.url, near)('listOffers');
    expect(body.offers).toMatchObject([{ distanceKm: 1, shipping: { id: _id, referenceNumber, status: 'created' } }]);
    expect((await overHttp(server.url, far)('listOffers')).body.offers).toEqual([]);
    const accepted = await overHttp(server.url, near)('acceptOffer', { id: _id });
    expect(accepted).toMatchObject({ status: 200, body: { shipping: { id: _id, status: 'assigned' } } });

    expect(await factsOf(server, _id)).toMatchObject({
      status: 'assigned',
      driver: near.id,
      events: ['shipping.created', 'shipping.assigned'],
    });
    expect(await openOffers(server, _id)).toEqual([]);
    await vi.waitFor(() => expect(loser.received.at(-1)?.push).toBe('offer-withdrawn'), WAIT);
    expect(loser.received.map(({ payload }) => payload.shippingId)).toEqual([_id, _id]);
    expect(JSON.stringify(loser.received)).not.toMatch(/Camille|Opéra|\+33/);
    expect(await overHttp(server.url, nearer)('acceptOffer', { id: _id })).toMatchObject({
      status: 409,
      body: { error: 'OFFER_GONE' },
    });
    expect(await overHttp(server.url, outside)('acceptOffer', { id: _id })).toMatchObject({ status: 404 });
    expect(await overHttp(server.url, near)('acceptOffer', { id: _id })).toMatchObject({ status: 200 }); // idempotent
    expect((await factsOf(server, _id)).events).toHaveLength(2);
    loser.close();
  });

  test('is assigned without an offer to the nearest driver with autoAccept, and an event is sent', async () => {
    const [auto, manual] = [await createDriverAt(0.3, { autoAccept: true }), await createDriverAt(0.6)];
    const app = await connectApp(server.url, auto);
    const { _id, referenceNumber } = await ship(server, shop);
    await vi.waitFor(async () => expect((await factsOf(server, _id)).driver).toBe(auto.id), WAIT);
    expect((await factsOf(server, _id)).events).toEqual(['shipping.created', 'shipping.assigned']);
    expect((await overHttp(server.url, manual)('listOffers')).body.offers).toEqual([]);
    await vi.waitFor(
      () =>
        expect(app.received).toMatchObject([
          { push: 'shipment-changed', payload: { shippingId: _id, status: 'assigned' } },
        ]),
      WAIT,
    );
    expect(await explain(referenceNumber)).toEqual([
      'Search for a driver started: it is express.',
      'Wave 1: Ana Leroy 0.3 km, Ana Leroy 0.6 km.',
      'Assigned to Ana Leroy, who takes every run, 0.3 km away.',
    ]);
    app.close();
  });

  test('is assigned to a driver with autoAccept only after nearer drivers were asked', async () => {
    const [auto, nearer] = [await createDriverAt(1, { autoAccept: true }), await createDriverAt(0.5)];
    const { _id } = await ship(server, shop);
    await offeredTo(_id, nearer);
    expect(await overHttp(server.url, nearer)('refuseOffer', { id: _id })).toMatchObject({ status: 200 });
    await vi.waitFor(async () => expect((await factsOf(server, _id)).driver).toBe(auto.id), WAIT);
  });

  test('starts the next wave at once when every driver asked has refused, and never asks them again', async () => {
    const [one, two, next] = [await createDriverAt(0.5), await createDriverAt(1), await createDriverAt(4)];
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, one, two);
    await overHttp(server.url, one)('refuseOffer', { id: _id });
    await overHttp(server.url, two)('refuseOffer', { id: _id.toUpperCase() }); // the same id
    await offeredTo(_id, next);
    expect(await overHttp(server.url, one)('refuseOffer', { id: _id })).toMatchObject({ status: 200 });
    expect(await overHttp(server.url, one)('acceptOffer', { id: _id })).toMatchObject({
      body: { error: 'OFFER_GONE' },
    });
    await overHttp(server.url, next)('refuseOffer', { id: _id });

    await vi.waitFor(
      async () => expect(await listAnyUnassigned(server.db)).toMatchObject([{ reference: referenceNumber, asked: 3 }]),
      WAIT,
    );
    const newcomer = await createDriverAt(3); // the retry finds a driver who arrived since
    await offeredTo(_id, newcomer);
    await overHttp(server.url, newcomer)('acceptOffer', { id: _id });
    expect(await listAnyUnassigned(server.db)).toEqual([]);
    const lines = await explain(referenceNumber);
    expect(lines.filter((line) => line.startsWith('Nobody left to ask'))).toHaveLength(1);
    expect(lines.at(-1)).toBe('Assigned to Ana Leroy, who was first to accept, 3.0 km away.');
  });

  test('starts the next wave when offers expire: late answers are refused, and silent drivers are asked again in the next round', async () => {
    const [near, far] = [await createDriverAt(0.5), await createDriverAt(3)];
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, near);
    const send = overHttp(server.url, near);
    const gone = { status: 409, body: { error: 'OFFER_GONE' } };

    server.setNow(new Date(Date.now() + 601_000)); // before the worker expires the offer
    expect((await send('listOffers')).body.offers).toEqual([]);
    expect(await send('acceptOffer', { id: _id })).toMatchObject(gone);
    server.setNow(null);

    await makeDue(server, searchDriverJob);
    await offeredTo(_id, far);
    expect(await send('acceptOffer', { id: _id })).toMatchObject(gone);
    await makeDue(server, searchDriverJob);
    await offeredTo(_id, near);
    expect(await explain(referenceNumber)).toEqual([
      'Search for a driver started: it is express.',
      'Wave 1: Ana Leroy 0.5 km, Ana Leroy 3.0 km.',
      'Offered to Ana Leroy, 0.5 km away, for 600 s.',
      'Ana Leroy did not answer.',
      'Wave 2: Ana Leroy 0.5 km (did not answer), Ana Leroy 3.0 km.',
      'Offered to Ana Leroy, 3.0 km away, for 600 s.',
      'Ana Leroy did not answer.',
      expect.stringMatching(/^Nobody left to ask: .*Listed to the operator as unassigned/),
      'Wave 1, try 2: Ana Leroy 0.5 km, Ana Leroy 3.0 km.',
      'Offered to Ana Leroy, 0.5 km away, for 600 s.',
    ]);
  });

  test('skips drivers who are unavailable, without a recent position, disabled or at capacity', async () => {
    const [busy, away, gone] = [await createDriverAt(0.1), await createDriverAt(0.2), await createDriverAt(0.3)];
    const [silent, good] = [await createDriverAt(0.4), await createDriverAt(1)];
    for (const _ of [1, 2])
      await assignAnyShipment(operatorContext(), (await ship(server, shop)).referenceNumber, busy.id);
    await overHttp(server.url, away)('setAvailability', { available: false });
    await disableDriver(server.db, gone.id);
    await deletePositionOf(silent);
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, good);
    expect(await explain(referenceNumber)).toContain('Wave 1: Ana Leroy 0.1 km (busy), Ana Leroy 1.0 km.');
  });

  test('is not offered to a driver whose open offers already fill their capacity', async () => {
    const [near, far] = [await createDriverAt(0.2), await createDriverAt(3)];
    const pending = [await ship(server, shop), await ship(server, shop)]; // as many runs as one driver may have
    for (const { _id } of pending) await offeredTo(_id, near);
    const third = await ship(server, shop);
    await offeredTo(third._id, far);
    expect(await explain(third.referenceNumber)).toContain(
      'Wave 2: Ana Leroy 0.2 km (asked enough), Ana Leroy 3.0 km.',
    );
    for (const { _id } of pending) await overHttp(server.url, near)('refuseOffer', { id: _id });
    await overHttp(server.url, far)('refuseOffer', { id: third._id });
    await offeredTo(third._id, near);
  });

  test('is refused to a driver who reached capacity since the offer, until they deliver one', async () => {
    const driver = await createDriverAt(0.5);
    const send = overHttp(server.url, driver);
    const offered = await ship(server, shop);
    await offeredTo(offered._id, driver);
    const [one, two] = [await ship(server, shop), await ship(server, shop)];
    for (const { referenceNumber } of [one, two])
      await assignAnyShipment(operatorContext(), referenceNumber, driver.id);
    const refused = await send('acceptOffer', { id: offered._id });
    expect(refused).toMatchObject({ status: 409, body: { error: 'TOO_MANY_RUNS' } });
    expect(await openOffers(server, offered._id)).toEqual([driver.id]);
    await send('deliver', { id: one._id, deliveryCode: (await factsOf(server, one._id)).code });
    expect(await send('acceptOffer', { id: offered._id })).toMatchObject({ status: 200 });
  });

  test('cancelled while offers are open: they are withdrawn and nobody can accept', async () => {
    const driver = await createDriverAt(0.5);
    const app = await connectApp(server.url, driver);
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, driver);
    await server.call(shop, 'PUT', `/shipping/${_id}/cancel`);
    expect((await app.send('listOffers')).body.offers).toEqual([]); // at once, before the worker runs
    expect(await app.send('acceptOffer', { id: _id })).toMatchObject({ status: 409, body: { error: 'OFFER_GONE' } });
    await offeredTo(_id);
    await vi.waitFor(() => expect(app.received.at(-1)?.push).toBe('offer-withdrawn'), WAIT);
    expect((await explain(referenceNumber)).join('\n')).toContain('Search stopped: the shipment is cancelled.');
    app.close();
  });

  test('cancelled after its assignment: its driver is notified', async () => {
    const driver = await createDriverAt(0.5, { autoAccept: true });
    const app = await connectApp(server.url, driver);
    const { _id } = await ship(server, shop);
    await vi.waitFor(async () => expect((await factsOf(server, _id)).driver).toBe(driver.id), WAIT);
    await server.call(shop, 'PUT', `/shipping/${_id}/cancel`);
    await vi.waitFor(
      () => expect(app.received.at(-1)?.payload).toMatchObject({ shippingId: _id, status: 'cancelled' }),
      WAIT,
    );
    expect((await app.send('listShipments')).body.shippings).toEqual([]);
    expect(await app.send('pickUp', { id: _id })).toMatchObject({ status: 409, body: { error: 'NOT_ALLOWED_NOW' } });
    app.close();
  });
});

describe('an abandoned run', () => {
  test('is offered to other drivers at once, without an event, and not to the driver who abandoned it', async () => {
    const [first, second] = [await createDriverAt(0.5), await createDriverAt(1)];
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, first, second);
    await overHttp(server.url, first)('acceptOffer', { id: _id });
    const abandoned = await overHttp(server.url, first)('abandon', { id: _id, reason: 'Pneu crevé' });
    expect(abandoned).toEqual({ status: 200, body: { success: true } });
    await offeredTo(_id, second);
    expect(await overHttp(server.url, first)('abandon', { id: _id })).toMatchObject({ status: 200 }); // the response got lost
    expect(await overHttp(server.url, first)('pickUp', { id: _id })).toMatchObject({ status: 404 });
    expect((await factsOf(server, _id)).history).toEqual(['created', 'assigned', 'created']);
    expect((await factsOf(server, _id)).events).toEqual(['shipping.created', 'shipping.assigned']);
    const lines = await explain(referenceNumber);
    expect(lines).toContain('Ana Leroy gave it back: “Pneu crevé”.');
    expect(lines).toContain('Wave 1: Ana Leroy 0.5 km (gave it back), Ana Leroy 1.0 km.');
  });
});

test('a pickup at the pole, where no driver can be, is listed to the operator as unassigned', async () => {
  const pickupAddress = {
    street: 'Amundsen-Scott',
    city: 'Pôle Sud',
    postalCode: '00000',
    coordinates: { latitude: -90, longitude: 0 },
  };
  const { referenceNumber } = await ship(server, shop, { pickupAddress });
  await vi.waitFor(
    async () => expect(await listAnyUnassigned(server.db)).toMatchObject([{ reference: referenceNumber }]),
    WAIT,
  );
});

describe('an address without coordinates', () => {
  test('is listed to the operator, and the search continues once the operator sets them', async () => {
    const driver = await createDriverAt(0.5);
    const { coordinates: _, ...unlocated } = shipmentRequest().deliveryAddress;
    const deliveryAddress = { ...unlocated, country: 'Atlantide', city: 'Nulle part', postalCode: '99999' };
    const { _id, referenceNumber } = await ship(server, shop, { deliveryAddress });
    await vi.waitFor(
      async () =>
        expect(await listAnyWithoutLocation(server.db)).toMatchObject([
          { reference: referenceNumber, missing: 'delivery' },
        ]),
      WAIT,
    );
    expect(await openOffers(server, _id)).toEqual([]);
    await navette('shipment', 'locate', referenceNumber, '--delivery', '48.86,2.33');
    await offeredTo(_id, driver);
    expect(await listAnyWithoutLocation(server.db)).toEqual([]);
    expect(await explain(referenceNumber)).toContain(
      'An address has no coordinates: no driver is searched until the operator provides them.',
    );
  });
});

describe('the operator', () => {
  test('reassigning notifies both drivers and sends an event again; unassigning starts a search', async () => {
    const [one, two] = [await createDriverAt(30), await createDriverAt(30)];
    const [first, second] = [await connectApp(server.url, one), await connectApp(server.url, two)];
    const { _id, referenceNumber } = await ship(server, shop);
    await navette('shipment', 'assign', referenceNumber, one.email);
    await navette('shipment', 'assign', referenceNumber.toLowerCase(), two.id);
    expect(await factsOf(server, _id)).toMatchObject({
      driver: two.id,
      history: ['created', 'assigned', 'assigned'],
      events: ['shipping.created', 'shipping.assigned', 'shipping.assigned'],
    });
    await vi.waitFor(() => expect([first.received, second.received].map(({ length }) => length)).toEqual([2, 1]), WAIT);
    expect((await first.send('listShipments')).body.shippings).toEqual([]);
    expect((await second.send('listShipments')).body.shippings).toMatchObject([{ id: _id }]);
    const again = await runNavette(['shipment', 'assign', referenceNumber, two.id], server.environment);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already assigned to this driver') });

    expect(await navette('shipment', 'unassign', referenceNumber)).toMatchObject({
      status: 'created',
      previousDriver: two.id,
    });
    const last = await createDriverAt(0.4);
    await offeredTo(_id, last);
    const explained = await runNavette(['shipment', 'explain', referenceNumber], server.environment);
    expect(explained.stdout).toContain(`${referenceNumber} is created.`);
    expect(explained.stdout).toMatch(/\d\d:\d\d:\d\d {2}The operator took it from Ana Leroy\./);
    first.close();
    second.close();
  });

  test('a programmed shipment can be assigned before its time, and its activation then changes nothing', async () => {
    const driver = await createDriverAt(30);
    const { _id, referenceNumber, status } = await ship(server, shop, {
      scheduledDate: '2031-03-05',
      timeSlot: '14h-16h',
    });
    expect(status).toBe('programmed');
    await assignAnyShipment(operatorContext(), referenceNumber, driver.id);
    expect(await factsOf(server, _id)).toMatchObject({ status: 'assigned', history: ['programmed', 'assigned'] });
  });

  test('gets an error for an unknown reference, a disabled or unknown driver, and a wrong state', async () => {
    const { referenceNumber } = await ship(server, shop);
    const driver = await createTestDriver(server.db);
    await disableDriver(server.db, driver.id);
    const cases: [args: string[], expected: string][] = [
      [['assign', 'AAAAAAAAAA', driver.id], 'disabled'],
      [['unassign', 'AAAAAAAAAA'], 'no shipment AAAAAAAAAA'],
      [['assign', referenceNumber, 'nobody@example.org'], 'no driver'],
      [['confirm-delivery', referenceNumber, '--reason', 'x'], 'it is created'],
      [['list'], '--unassigned, --needs-location or --needs-pickup-time'],
      [['list', '--unassigned', '--needs-location'], 'give one of'],
    ];
    await crowd(3, cases, async ([args, expected]) => {
      expect((await runNavette(['shipment', ...args], server.environment)).stderr).toContain(expected);
    });
  });
});

test('afterwards every invariant holds, and metrics count searches and offers', async () => {
  const driver = await createDriverAt(0.5);
  await offeredTo((await ship(server, shop))._id, driver);
  expect(await brokenInvariants(server)).toEqual([]);
  const metrics = (await server.metrics()).split('\n');
  const figure = (name: string) => Number(metrics.find((line) => line.startsWith(`navette_${name} `))?.split(' ')[1]);
  expect(figure('driver_searches_ended{outcome="assigned"}')).toBeGreaterThan(0);
  expect(figure('driver_searches_ended{outcome="stopped"}')).toBeGreaterThan(0);
  expect(figure('driver_search_seconds{quantile="0.95"}')).toBeGreaterThan(0);
  expect(figure('driver_offers_open')).toBe(1);
  expect(figure('connected_drivers')).toBeTypeOf('number');
});
