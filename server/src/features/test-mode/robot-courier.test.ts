import { TEST_ENDPOINTS, TEST_NAMES } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestStaff } from '../../../test/console.ts';
import { factsOf, ship, shipMany } from '../../../test/dispatched.ts';
import { eventually } from '../../../test/eventually.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { createTwin } from '../../../test/twin.ts';

let server: TestServer;
let worker: TestWorker;
let live: TestAccount;
let twin: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ DRIVER_PAY_BASE_CENTS: '300' });
  worker = await startTestWorker(server);
  live = await server.createAccount({ paymentMode: 'deferred' });
  twin = await createTwin(server, live);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

const to = (recipientName: string) => ({ deliveryAddress: { ...shipmentRequest().deliveryAddress, recipientName } });
const step = (id: string, name: string) =>
  server.call(twin, 'POST', `/test/shipping/${id}/step`, { body: { step: name } });
const until = (id: string, status: string) =>
  server.call(twin, 'POST', `/test/shipping/${id}/until`, { body: { status } });
const DELIVERED = ['created', 'assigned', 'picked_up', 'in_transit', 'delivered'];

test('a live key gets 404 from every endpoint of test mode', async () => {
  const { _id: id } = await ship(server, live);
  const bodies: Record<string, object> = {
    setTestCourier: { mode: 'auto' },
    takeTestStep: { step: 'accept' },
    advanceTestShipment: { status: 'delivered' },
    setTestAccount: { balance: 5 },
    setTestWebhook: { fault: 'twice' },
    moveTestClock: { to: '2027-03-28T14:00:00+02:00' },
  };
  for (const [name, { method, path }] of Object.entries(TEST_ENDPOINTS)) {
    const body = bodies[name];
    const { status } = await server.call(live, method, path.replace(':id', id), body ? { body } : {});
    expect([name, status]).toEqual([name, 404]);
  }
});

describe('step by step', () => {
  test('lists the possible steps, does one, and refuses the others with the list', async () => {
    const { _id: id } = await ship(server, twin);
    const read = await server.call(twin, 'GET', `/test/shipping/${id}`);
    expect(read.body).toMatchObject({ status: 'created', steps: ['accept', 'refuse'], courier: null });
    expect((await step(id, 'deliver')).status).toBe(409);
    for (const [name, status] of [
      ['accept', 'assigned'],
      ['pick_up', 'picked_up'],
      ['depart', 'in_transit'],
      ['deliver', 'delivered'],
    ] as const) {
      const { body } = await step(id, name);
      expect(body).toMatchObject({ success: true, status, courier: { latitude: expect.any(Number) } });
    }
    const facts = await factsOf(server, id);
    expect(facts.history).toEqual(DELIVERED);
    expect(facts.events).toEqual(
      ['created', 'assigned', 'picked_up', 'delivered'].map((status) => `shipping.${status}`),
    );
    expect((await step(id, 'deliver')).body).toMatchObject({ success: false, status: 'delivered', steps: [] });
  });

  test('a refused and an abandoned run go to another robot', async () => {
    const { _id: id } = await ship(server, twin);
    expect((await step(id, 'refuse')).status).toBe(200);
    expect((await step(id, 'accept')).status).toBe(200);
    const { driver: first } = await factsOf(server, id);
    expect((await step(id, 'abandon')).body.status).toBe('created');
    expect((await until(id, 'delivered')).body.status).toBe('delivered');
    expect((await factsOf(server, id)).driver).not.toBe(first);
  });

  test('one `until` beside robots in mode `auto` ends where it should, with each step once', async () => {
    const own = await createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
    await server.call(own, 'PUT', '/test/courier', { body: { mode: 'auto', secondsPerStep: 1 } });
    const ids = await shipMany(server, own, 6);
    const answers = await Promise.all(
      ids.map((id) => server.call(own, 'POST', `/test/shipping/${id}/until`, { body: { status: 'delivered' } })),
    );
    expect(answers.map(({ body }) => body.status)).toEqual(ids.map(() => 'delivered'));
    for (const id of ids) expect((await factsOf(server, id)).history).toEqual(DELIVERED);
  });

  test('a programmed shipment is activated and delivered', async () => {
    const { _id: id } = await ship(server, twin, { scheduledDate: '2030-05-20', timeSlot: '14h-16h' });
    expect((await until(id, 'delivered')).body).toMatchObject({ success: true, status: 'delivered' });
    expect((await factsOf(server, id)).history).toEqual(['programmed', ...DELIVERED]);
  });
});

describe('recipient names that cause a fault', () => {
  test('a locked code: the robot types five wrong ones, and no step delivers', async () => {
    const { _id: id } = await ship(server, twin, to(`${TEST_NAMES.lockedCode} – Camille`));
    await until(id, 'in_transit');
    await step(id, 'deliver');
    const { body } = await server.call(twin, 'GET', `/test/shipping/${id}`);
    expect(body).toMatchObject({ status: 'in_transit', steps: ['report_incident'] });
    expect((await factsOf(server, id)).wrongCodes).toBe(5);
    expect((await until(id, 'delivered')).status).toBe(409);
  });

  test('no driver: the search finds nobody', async () => {
    const { _id: id } = await ship(server, twin, to(TEST_NAMES.noDriver.toUpperCase()));
    await workDone(server);
    const search = await server.db
      .selectFrom('driver_searches')
      .select('state')
      .where('shipment_id', '=', id)
      .executeTakeFirst();
    expect(search?.state).toBe('unassigned');
  });
});

describe('recipient names that cause a fault of the creation', () => {
  test('500 after the commit: the retry with the same key finds the shipment', async () => {
    const headers = { 'x-idempotency-key': 'order-500' };
    const create = () =>
      server.call(twin, 'POST', '/shipping', { body: shipmentRequest(to(TEST_NAMES.failureAfterCommit)), headers });
    expect(await create()).toMatchObject({ status: 500, body: { error: 'INTERNAL_ERROR' } });
    expect(await create()).toMatchObject({ status: 200, body: { idempotent: true } });
    const { status } = await server.call(live, 'POST', '/shipping', {
      body: shipmentRequest(to(TEST_NAMES.failureAfterCommit)),
    });
    expect(status).toBe(201);
  });

  test('a slow answer arrives after six seconds', async () => {
    const startedAt = performance.now();
    const { status } = await server.call(twin, 'POST', '/shipping', {
      body: shipmentRequest(to(TEST_NAMES.slowAnswer)),
    });
    expect(status).toBe(201);
    expect(performance.now() - startedAt).toBeGreaterThan(5_900);
  });

  test('an address that cannot be located: the search waits for a location', async () => {
    const { coordinates: _, ...deliveryAddress } = to(TEST_NAMES.unknownAddress).deliveryAddress;
    const { _id: id } = await ship(server, twin, { deliveryAddress });
    await workDone(server);
    const search = await server.db
      .selectFrom('driver_searches')
      .select('state')
      .where('shipment_id', '=', id)
      .executeTakeFirst();
    expect(search?.state).toBe('needs_location');
  });
});

test('balance, payment status and limit of the test account cause the contract’s refusals', async () => {
  const other = await createTwin(server, await server.createAccount());
  const create = () => server.call(other, 'POST', '/shipping', { body: shipmentRequest() });
  const set = (body: object) => server.call(other, 'PUT', '/test/account', { body });
  await set({ balance: 1 });
  expect((await create()).body.error).toBe('INSUFFICIENT_BALANCE');
  await set({ balance: 100, paymentStatus: 'suspended' });
  expect((await create()).body.error).toBe('ACCOUNT_SUSPENDED');
  await set({ paymentStatus: 'current' });
  expect((await create()).status).toBe(201);
  await set({ requestsPerMinute: 1 });
  await eventually(async () => expect((await create()).status).toBe(429));
});

test('the operator’s lists, board and map contain neither a twin nor its robots', async () => {
  const staff = await createTestStaff(server, 'admin');
  const { _id: open } = await ship(server, twin);
  const { _id: carried } = await ship(server, twin);
  expect((await until(carried, 'assigned')).status).toBe(200);
  await server.call(twin, 'PUT', '/test/courier', { body: { mode: 'auto', pace: 'real' } });
  await vi.waitFor(async () => {
    const { body } = await server.call(twin, 'GET', `/test/shipping/${carried}`);
    expect(body.courier?.latitude).toEqual(expect.any(Number));
  }, 240_000);
  await server.call(twin, 'PUT', '/test/courier', { body: { mode: 'manual' } });
  const { driver: robot } = await factsOf(server, carried);
  const area = { west: -180, south: -90, east: 180, north: 90 };
  const lists = {
    merchants: await staff.call('listMerchants'),
    drivers: await staff.call('listDrivers'),
    unassigned: await staff.call('listBoardShipments', { query: { list: 'unassigned' } }),
    boardDrivers: await staff.call('listBoardDrivers'),
    stops: await staff.call('listMapStops', { query: area }),
    mapDrivers: await staff.call('listMapDrivers', { query: area }),
  };
  for (const [name, { status, body }] of Object.entries(lists)) {
    expect([name, status]).toEqual([name, 200]);
    const text = JSON.stringify(body);
    for (const hidden of [twin.id, open, carried, String(robot)])
      expect([name, text.includes(hidden)]).toEqual([name, false]);
  }
  expect(lists.mapDrivers.body.total).toBe(0);
  const preview = await staff.call('previewAssignments', { body: { driverId: String(robot), shipmentIds: [open] } });
  expect(preview.status).toBe(404);
});

test('robots deliver a day of shipments by themselves, clean, and their positions move', async () => {
  const own = await createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
  const set = await server.call(own, 'PUT', '/test/courier', { body: { mode: 'auto', secondsPerStep: 1 } });
  expect(set.body.courier).toEqual({ mode: 'auto', pace: 'fast', secondsPerStep: 1 });
  const ids = await shipMany(server, own, 12);
  const places = new Set<string>();
  await vi.waitFor(
    async () => {
      const { body } = await server.call(own, 'GET', `/test/shipping/${ids[0]}`);
      if (body.courier?.latitude) places.add(`${body.courier.latitude} ${body.courier.longitude}`);
      const { body: stats } = await server.call(own, 'GET', '/shipping/stats');
      expect(stats.stats.byStatus.delivered).toBe(ids.length);
    },
    { timeout: 240_000, interval: 200 },
  );
  expect(places.size).toBeGreaterThan(1);
  for (const id of ids) expect((await factsOf(server, id)).history).toEqual(DELIVERED);
  await workDone(server);
  expect(await brokenInvariants(server)).toEqual([]);
  const paid = await server.db.selectFrom('driver_ledger_entries').select('entry').execute();
  expect(paid).toEqual([]);
  await vi.waitFor(async () => {
    const courier = await server.db
      .selectFrom('test_couriers')
      .select('next_at')
      .where('account_id', '=', own.id)
      .execute();
    expect(courier).toEqual([{ next_at: null }]); // an idle twin costs nothing
  }, 60_000);
  expect((await server.call(own, 'DELETE', '/test/data')).body).toEqual({ success: true, deleted: 12 });
  expect(await brokenInvariants(server)).toEqual([]);
});
