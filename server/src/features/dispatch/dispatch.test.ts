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

const WAIT = { timeout: 15_000, interval: 30 };
const SETTINGS = {
  DISPATCH_RADIUS_KM: '2,5',
  DISPATCH_WAVE_SIZE: '2',
  DISPATCH_OFFER_SECONDS: '600', // whatever moves on here does so because somebody answered
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
// Nobody of one test is near in the next, and nothing of it looks for a driver any more.
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

async function driverAt(km: number, given: Parameters<typeof createTestDriver>[1] = {}): Promise<TestDriver> {
  const driver = await createTestDriver(server.db, given);
  drivers.push(driver);
  await standAt(server, driver, km);
  return driver;
}

const offeredTo = (shipmentId: string, ...expected: TestDriver[]) =>
  vi.waitFor(async () => expect(await openOffers(server, shipmentId)).toEqual(expected.map(({ id }) => id)), WAIT);
const hands = () => ({ db: server.db, jobs: server.jobs, config: server.config, now: new Date() });

/** As if no ping had come for two minutes. */
async function forgetPositionOf({ id }: TestDriver): Promise<void> {
  const redis = new Redis(server.config.redisUrl);
  const forgotten = await redis.del(`${server.config.redisPrefix}drivers:position:${id}`);
  redis.disconnect();
  if (forgotten !== 1) throw new Error('there was no position');
}
const story = async (reference: string) =>
  ((await explainAnyShipment(server.db, reference))?.lines ?? []).map(({ text }) => text);
const navette = async (...args: string[]) => {
  const { code, stdout, stderr } = await runNavette([...args, '--json'], server.environment);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

describe('an express shipment', () => {
  test('is offered to the nearest within the first wave’s radius, and the first to accept has it', async () => {
    const [far, near, nearer, outside] = [
      await driverAt(1.5),
      await driverAt(1),
      await driverAt(0.5),
      await driverAt(4),
    ];
    const loser = await connectApp(server.url, nearer);
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, nearer, near);
    await vi.waitFor(() => expect(loser.heard.map(({ push }) => push)).toContain('offer'), WAIT);

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
    await vi.waitFor(() => expect(loser.heard.at(-1)?.push).toBe('offer-withdrawn'), WAIT);
    expect(loser.heard.map(({ payload }) => payload.shippingId)).toEqual([_id, _id]);
    expect(JSON.stringify(loser.heard)).not.toMatch(/Camille|Opéra|\+33/);
    expect(await overHttp(server.url, nearer)('acceptOffer', { id: _id })).toMatchObject({
      status: 409,
      body: { error: 'OFFER_GONE' },
    });
    expect(await overHttp(server.url, outside)('acceptOffer', { id: _id })).toMatchObject({ status: 404 });
    expect(await overHttp(server.url, near)('acceptOffer', { id: _id })).toMatchObject({ status: 200 }); // said twice
    expect((await factsOf(server, _id)).events).toHaveLength(2);
    loser.close();
  });

  test('is assigned to the nearest driver who takes every run, as automatic dispatch, which merchants hear of', async () => {
    const [auto, manual] = [await driverAt(0.3, { autoAccept: true }), await driverAt(0.6)];
    const app = await connectApp(server.url, auto);
    const { _id, referenceNumber } = await ship(server, shop);
    await vi.waitFor(async () => expect((await factsOf(server, _id)).driver).toBe(auto.id), WAIT);
    expect((await factsOf(server, _id)).events).toEqual(['shipping.created', 'shipping.assigned']);
    expect((await overHttp(server.url, manual)('listOffers')).body.offers).toEqual([]);
    await vi.waitFor(
      () =>
        expect(app.heard).toMatchObject([
          { push: 'shipment-changed', payload: { shippingId: _id, status: 'assigned' } },
        ]),
      WAIT,
    );
    expect(await story(referenceNumber)).toEqual([
      'Search for a driver started: it is express.',
      'Wave 1: Ana Leroy 0.3 km, Ana Leroy 0.6 km.',
      'Assigned to Ana Leroy, who takes every run, 0.3 km away.',
    ]);
    app.close();
  });

  test('goes to a driver who takes every run only after those nearer were asked', async () => {
    const [auto, nearer] = [await driverAt(1, { autoAccept: true }), await driverAt(0.5)];
    const { _id } = await ship(server, shop);
    await offeredTo(_id, nearer);
    expect(await overHttp(server.url, nearer)('refuseOffer', { id: _id })).toMatchObject({ status: 200 });
    await vi.waitFor(async () => expect((await factsOf(server, _id)).driver).toBe(auto.id), WAIT);
  });

  test('goes on to the next wave at once when all who were asked refused, and never asks them again', async () => {
    const [one, two, next] = [await driverAt(0.5), await driverAt(1), await driverAt(4)];
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, one, two);
    await Promise.all([one, two].map((driver) => overHttp(server.url, driver)('refuseOffer', { id: _id })));
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
    const newcomer = await driverAt(3); // the search is tried again, and finds who came meanwhile
    await offeredTo(_id, newcomer);
    await overHttp(server.url, newcomer)('acceptOffer', { id: _id });
    expect(await listAnyUnassigned(server.db)).toEqual([]);
    const told = await story(referenceNumber);
    expect(told.filter((line) => line.startsWith('Nobody left to ask'))).toHaveLength(1);
    expect(told.at(-1)).toBe('Assigned to Ana Leroy, who was first to accept, 3.0 km away.');
  });

  test('goes on when nobody answers in time: too late is too late, and who was silent is asked again the next round', async () => {
    const [near, far] = [await driverAt(0.5), await driverAt(3)];
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, near);
    const say = overHttp(server.url, near);
    const gone = { status: 409, body: { error: 'OFFER_GONE' } };

    server.setNow(new Date(Date.now() + 601_000)); // the worker has not noticed yet
    expect((await say('listOffers')).body.offers).toEqual([]);
    expect(await say('acceptOffer', { id: _id })).toMatchObject(gone);
    server.setNow(null);

    await makeDue(server, searchDriverJob);
    await offeredTo(_id, far);
    expect(await say('acceptOffer', { id: _id })).toMatchObject(gone);
    await makeDue(server, searchDriverJob);
    await offeredTo(_id, near);
    expect(await story(referenceNumber)).toEqual([
      'Search for a driver started: it is express.',
      'Wave 1: Ana Leroy 0.5 km, Ana Leroy 3.0 km.',
      'Offered to Ana Leroy, 0.5 km away, for 600 s.',
      'Ana Leroy did not answer.',
      'Wave 2: Ana Leroy 0.5 km (did not answer), Ana Leroy 3.0 km.',
      'Offered to Ana Leroy, 3.0 km away, for 600 s.',
      'Ana Leroy did not answer.',
      expect.stringMatching(/^Nobody left to ask: .*Shown to the operator as unassigned/),
      'Wave 1, try 2: Ana Leroy 0.5 km, Ana Leroy 3.0 km.',
      'Offered to Ana Leroy, 0.5 km away, for 600 s.',
    ]);
  });

  test('passes over who is unavailable, silent for long, disabled, or has enough to do', async () => {
    const [busy, away, gone] = [await driverAt(0.1), await driverAt(0.2), await driverAt(0.3)];
    const [silent, good] = [await driverAt(0.4), await driverAt(1)];
    for (const _ of [1, 2]) await assignAnyShipment(hands(), (await ship(server, shop)).referenceNumber, busy.id);
    await overHttp(server.url, away)('setAvailability', { available: false });
    await disableDriver(server.db, gone.id);
    await forgetPositionOf(silent);
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, good);
    expect(await story(referenceNumber)).toContain('Wave 1: Ana Leroy 0.1 km (busy), Ana Leroy 1.0 km.');
  });

  test('is offered to nobody who could not take it after a yes to what they are thinking about', async () => {
    const [near, far] = [await driverAt(0.2), await driverAt(3)];
    const thinking = [await ship(server, shop), await ship(server, shop)]; // as many as one may have
    for (const { _id } of thinking) await offeredTo(_id, near);
    const third = await ship(server, shop);
    await offeredTo(third._id, far);
    expect(await story(third.referenceNumber)).toContain('Wave 2: Ana Leroy 0.2 km (asked enough), Ana Leroy 3.0 km.');
    for (const { _id } of thinking) await overHttp(server.url, near)('refuseOffer', { id: _id });
    await overHttp(server.url, far)('refuseOffer', { id: third._id });
    await offeredTo(third._id, near);
  });

  test('is not given to a driver who has enough to do meanwhile, until they delivered one', async () => {
    const driver = await driverAt(0.5);
    const say = overHttp(server.url, driver);
    const offered = await ship(server, shop);
    await offeredTo(offered._id, driver);
    const [one, two] = [await ship(server, shop), await ship(server, shop)];
    for (const { referenceNumber } of [one, two]) await assignAnyShipment(hands(), referenceNumber, driver.id);
    const refused = await say('acceptOffer', { id: offered._id });
    expect(refused).toMatchObject({ status: 409, body: { error: 'TOO_MANY_RUNS' } });
    expect(await openOffers(server, offered._id)).toEqual([driver.id]);
    await say('deliver', { id: one._id, deliveryCode: (await factsOf(server, one._id)).code });
    expect(await say('acceptOffer', { id: offered._id })).toMatchObject({ status: 200 });
  });

  test('cancelled while drivers think about it: offers are withdrawn and nobody can accept', async () => {
    const driver = await driverAt(0.5);
    const app = await connectApp(server.url, driver);
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, driver);
    await server.call(shop, 'PUT', `/shipping/${_id}/cancel`);
    expect((await app.say('listOffers')).body.offers).toEqual([]); // at once, whatever the worker does
    expect(await app.say('acceptOffer', { id: _id })).toMatchObject({ status: 409, body: { error: 'OFFER_GONE' } });
    await offeredTo(_id);
    await vi.waitFor(() => expect(app.heard.at(-1)?.push).toBe('offer-withdrawn'), WAIT);
    expect((await story(referenceNumber)).join('\n')).toContain('Search stopped: the shipment is cancelled.');
    app.close();
  });

  test('cancelled after it was assigned: its driver is told', async () => {
    const driver = await driverAt(0.5, { autoAccept: true });
    const app = await connectApp(server.url, driver);
    const { _id } = await ship(server, shop);
    await vi.waitFor(async () => expect((await factsOf(server, _id)).driver).toBe(driver.id), WAIT);
    await server.call(shop, 'PUT', `/shipping/${_id}/cancel`);
    await vi.waitFor(
      () => expect(app.heard.at(-1)?.payload).toMatchObject({ shippingId: _id, status: 'cancelled' }),
      WAIT,
    );
    expect((await app.say('listShipments')).body.shippings).toEqual([]);
    expect(await app.say('pickUp', { id: _id })).toMatchObject({ status: 409, body: { error: 'NOT_ALLOWED_NOW' } });
    app.close();
  });
});

describe('a run that is given back', () => {
  test('is offered to others at once, without an event, and not to who gave it back', async () => {
    const [first, second] = [await driverAt(0.5), await driverAt(1)];
    const { _id, referenceNumber } = await ship(server, shop);
    await offeredTo(_id, first, second);
    await overHttp(server.url, first)('acceptOffer', { id: _id });
    const given = await overHttp(server.url, first)('abandon', { id: _id, reason: 'Pneu crevé' });
    expect(given).toEqual({ status: 200, body: { success: true } });
    await offeredTo(_id, second);
    expect(await overHttp(server.url, first)('abandon', { id: _id })).toMatchObject({ status: 200 }); // the answer got lost
    expect(await overHttp(server.url, first)('pickUp', { id: _id })).toMatchObject({ status: 404 });
    expect((await factsOf(server, _id)).history).toEqual(['created', 'assigned', 'created']);
    expect((await factsOf(server, _id)).events).toEqual(['shipping.created', 'shipping.assigned']);
    const told = await story(referenceNumber);
    expect(told).toContain('Ana Leroy gave it back: “Pneu crevé”.');
    expect(told).toContain('Wave 1: Ana Leroy 0.5 km (gave it back), Ana Leroy 1.0 km.');
  });
});

test('a parcel at the pole, where no driver can be, is shown to the operator instead of being searched for unseen', async () => {
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

describe('an address that nobody finds', () => {
  test('is shown to the operator, who says where it is; then the search goes on', async () => {
    const driver = await driverAt(0.5);
    const { coordinates: _, ...nowhere } = shipmentRequest().deliveryAddress;
    const deliveryAddress = { ...nowhere, country: 'Atlantide', city: 'Nulle part', postalCode: '99999' };
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
    expect(await story(referenceNumber)).toContain(
      'An address is nowhere on the map: no driver is searched until the operator gives its place.',
    );
  });
});

describe('the operator’s hands', () => {
  test('reassigning tells both drivers and merchants again; unassigning searches another', async () => {
    const [one, two] = [await driverAt(30), await driverAt(30)];
    const [first, second] = [await connectApp(server.url, one), await connectApp(server.url, two)];
    const { _id, referenceNumber } = await ship(server, shop);
    await navette('shipment', 'assign', referenceNumber, one.email);
    await navette('shipment', 'assign', referenceNumber.toLowerCase(), two.id);
    expect(await factsOf(server, _id)).toMatchObject({
      driver: two.id,
      history: ['created', 'assigned', 'assigned'],
      events: ['shipping.created', 'shipping.assigned', 'shipping.assigned'],
    });
    await vi.waitFor(() => expect([first.heard, second.heard].map(({ length }) => length)).toEqual([2, 1]), WAIT);
    expect((await first.say('listShipments')).body.shippings).toEqual([]);
    expect((await second.say('listShipments')).body.shippings).toMatchObject([{ id: _id }]);
    const again = await runNavette(['shipment', 'assign', referenceNumber, two.id], server.environment);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('has it already') });

    expect(await navette('shipment', 'unassign', referenceNumber)).toMatchObject({
      status: 'created',
      previousDriver: two.id,
    });
    const last = await driverAt(0.4);
    await offeredTo(_id, last);
    const explained = await runNavette(['shipment', 'explain', referenceNumber], server.environment);
    expect(explained.stdout).toContain(`${referenceNumber} is created.`);
    expect(explained.stdout).toMatch(/\d\d:\d\d:\d\d {2}The operator took it from Ana Leroy\./);
    first.close();
    second.close();
  });

  test('a programmed shipment can be assigned before its time, and activation then leaves it alone', async () => {
    const driver = await driverAt(30);
    const { _id, referenceNumber, status } = await ship(server, shop, {
      scheduledDate: '2031-03-05',
      timeSlot: '14h-16h',
    });
    expect(status).toBe('programmed');
    await assignAnyShipment(hands(), referenceNumber, driver.id);
    expect(await factsOf(server, _id)).toMatchObject({ status: 'assigned', history: ['programmed', 'assigned'] });
  });

  test('what cannot be done is said: unknown reference, disabled or unknown driver, wrong state', async () => {
    const { referenceNumber } = await ship(server, shop);
    const driver = await createTestDriver(server.db);
    await disableDriver(server.db, driver.id);
    const cases: [args: string[], says: string][] = [
      [['assign', 'AAAAAAAAAA', driver.id], 'disabled'],
      [['unassign', 'AAAAAAAAAA'], 'no shipment AAAAAAAAAA'],
      [['assign', referenceNumber, 'nobody@example.org'], 'no driver'],
      [['confirm-delivery', referenceNumber, '--reason', 'x'], 'it is created'],
      [['list'], '--unassigned or --needs-location'],
    ];
    await crowd(3, cases, async ([args, says]) => {
      expect((await runNavette(['shipment', ...args], server.environment)).stderr).toContain(says);
    });
  });
});

test('afterwards every invariant holds, and what is under way is measured', async () => {
  const driver = await driverAt(0.5);
  await offeredTo((await ship(server, shop))._id, driver);
  expect(await brokenInvariants(server)).toEqual([]);
  const metrics = (await (await fetch(`${server.url}/metrics`)).text()).split('\n');
  const figure = (name: string) => Number(metrics.find((line) => line.startsWith(`navette_${name} `))?.split(' ')[1]);
  expect(figure('driver_searches_ended{outcome="assigned"}')).toBeGreaterThan(0);
  expect(figure('driver_searches_ended{outcome="stopped"}')).toBeGreaterThan(0);
  expect(figure('driver_search_seconds{quantile="0.95"}')).toBeGreaterThan(0);
  expect(figure('driver_offers_open')).toBe(1);
  expect(figure('connected_drivers')).toBeTypeOf('number');
});
