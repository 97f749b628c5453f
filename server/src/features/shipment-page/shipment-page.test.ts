import type { ShipmentPage, StoryLine } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { MERCHANT_SETTINGS } from '../../../test/create-merchant.ts';
import { factsOf, ship, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { eraseShipment } from '../../../test/erase-shipment.ts';
import { eventually } from '../../../test/eventually.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';

let server: TestServer;
let worker: TestWorker;
let shop: TestAccount;
let dispatcher: TestStaff;
let accountant: TestStaff;
let driver: TestDriver;
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_RETRY_SECONDS: '600' });
  worker = await startTestWorker(server);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  dispatcher = await createTestStaff(server, 'dispatcher', { name: 'Léa Morel' });
  accountant = await createTestStaff(server, 'accountant');
  driver = await createTestDriver(server.db, { firstName: 'Karim' });
  await standAt(server, driver, 40);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

async function read(id: string, staff = dispatcher): Promise<{ shipment: ShipmentPage; story: StoryLine[] }> {
  const { status, body } = await staff.call('readShipmentPage', { params: { id } });
  expect(status).toBe(200);
  return body;
}

test('the page tells the whole story of a parcel, and its acts lead to the next state', async () => {
  const { _id: id, referenceNumber } = await ship(server, shop);
  await eventually(async () => expect((await read(id)).story.map(({ kind }) => kind)).toContain('nobody_left'));
  const { shipment } = await read(referenceNumber);
  expect(shipment).toMatchObject({ id, status: 'created', possibleActs: ['assign', 'cancel'], driver: null });

  const assignment = { driverId: driver.id, version: shipment.version };
  await dispatcher.call('assignShipment', { params: { id }, body: assignment });
  const assigned = (await read(id)).shipment;
  expect(assigned).toMatchObject({ driver: { id: driver.id, name: 'Karim Leroy' } });
  const outdated = { params: { id }, body: { version: shipment.version } };
  expect(await dispatcher.call('unassignShipment', outdated)).toMatchObject({
    status: 409,
    body: { error: 'CHANGED_MEANWHILE', by: 'Léa Morel' },
  });
  expect(
    await dispatcher.call('unassignShipment', { params: { id }, body: { version: assigned.version } }),
  ).toMatchObject({ status: 200, body: { shipment: { status: 'created', driver: null } } });

  const { version } = (await read(id)).shipment;
  const cancellation = { params: { id }, body: { reason: 'Commande en double', version } };
  expect(await dispatcher.call('cancelAsOperator', cancellation)).toMatchObject({
    body: { shipment: { status: 'cancelled' } },
  });
  await workDone(server);
  expect((await factsOf(server, id)).events).toContain('shipping.cancelled');
  const { story, shipment: ended } = await read(id);
  expect(ended.possibleActs).toEqual([]);
  expect(story).toContainEqual(expect.objectContaining({ kind: 'refunded', facts: { amount: ended.price } }));
  expect(story.find(({ kind }) => kind === 'assigned')).toMatchObject({
    by: 'Léa Morel',
    driver: { name: 'Karim Leroy' },
  });
  const acts = story.filter(({ kind }) => kind === 'act');
  expect(acts.map(({ by, facts }) => [by, facts.act, facts.reason])).toEqual([
    ['Léa Morel', 'shipment.unassigned', null],
    ['Léa Morel', 'shipment.cancelled', 'Commande en double'],
  ]);
  expect(
    await dispatcher.call('cancelAsOperator', {
      ...cancellation,
      body: { ...cancellation.body, version: ended.version },
    }),
  ).toMatchObject({ status: 409 });
});

test('a step shows how far from the address the driver’s phone was; a refused or an unknown place shows nothing', async () => {
  const { _id: id } = await ship(server, shop);
  const { version } = (await read(id)).shipment;
  const carrier = await createTestDriver(server.db);
  await dispatcher.call('assignShipment', { params: { id }, body: { driverId: carrier.id, version } });
  const send = overHttp(server.url, carrier);
  const { latitude, longitude } = MERCHANT_SETTINGS.pickupAddress?.coordinates ?? { latitude: 0, longitude: 0 };
  const place = { latitude: latitude + 0.001, longitude };
  expect(await send('pickUp', { id, commandId: 'pick-up-1', place })).toMatchObject({ status: 200 });
  expect(await send('depart', { id, commandId: 'depart-01' })).toMatchObject({ status: 200 });
  const wrong = await send('deliver', { id, commandId: 'deliver-1', deliveryCode: '000000', place });
  expect(wrong.status).toBe(403);
  const away = async (staff = dispatcher) =>
    (await read(id, staff)).story.filter(({ kind }) => kind === 'status').map(({ facts }) => facts.metresAway ?? null);
  expect(await away()).toEqual([null, null, 110, null]);
  expect(await away(accountant)).toEqual([null, null, null, null]);
});

test('a step that is sent again with another id has the place of the first one', async () => {
  const { _id: id } = await ship(server, shop);
  const { version } = (await read(id)).shipment;
  const carrier = await createTestDriver(server.db);
  await dispatcher.call('assignShipment', { params: { id }, body: { driverId: carrier.id, version } });
  const send = overHttp(server.url, carrier);
  const { latitude, longitude } = MERCHANT_SETTINGS.pickupAddress?.coordinates ?? { latitude: 0, longitude: 0 };
  const at = (degrees: number) => ({ latitude: latitude + degrees, longitude });
  expect(await send('pickUp', { id, commandId: 'pick-up-1', place: at(0.001) })).toMatchObject({ status: 200 });
  expect(await send('pickUp', { id, commandId: 'pick-up-2', place: at(0.2) })).toMatchObject({ status: 200 });
  expect((await read(id)).story.find(({ facts }) => facts.metresAway)?.facts.metresAway).toBe(110);
  await send('depart', { id, commandId: 'depart-01' });
  await moveShipment(server, shop, id, 'deliver');
  await eraseShipment(server, shop.id, id);
  expect(await send('deliver', { id, commandId: 'deliver-1', deliveryCode: '000000', place: at(0.001) })).toMatchObject(
    {
      status: 200,
    },
  );
  const { rows } = await sql`select from driver_commands where shipment_id = ${id} and latitude is not null`.execute(
    server.db,
  );
  expect(rows).toEqual([]);
});

test('an accountant reads no name, street, contact or free text of a person', async () => {
  const { _id: id } = await ship(server, shop, { notes: 'Code 4512' });
  const { version } = (await read(id)).shipment;
  await dispatcher.call('assignShipment', { params: { id }, body: { driverId: driver.id, version } });
  const send = overHttp(server.url, driver);
  await send('pickUp', { id });
  await send('reportIncident', { id, kind: 'recipient_absent', note: 'Mme Durand est absente' });
  const whole = await read(id);
  expect(whole.shipment).toMatchObject({
    recipient: { name: expect.any(String) },
    notes: 'Code 4512',
    incident: 'recipient_absent',
  });
  expect(whole.story).toContainEqual(expect.objectContaining({ kind: 'incident_opened' }));
  const { recipient, delivery } = whole.shipment;
  const seen = JSON.stringify(await read(id, accountant));
  for (const text of [recipient?.name, recipient?.phone, recipient?.email, delivery.street, 'Code 4512', 'Durand'])
    expect(seen).not.toContain(text);
});

test('an unknown shipment, merchant, driver or proof is not found', async () => {
  const params = { id: '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60' };
  for (const name of ['readShipmentPage', 'readMerchantPage', 'readDriverPage', 'readConsoleProof'] as const) {
    expect((await dispatcher.call(name, { params })).status).toBe(404);
    expect((await dispatcher.call(name, { params: { id: 'x' } })).status).toBe(404);
  }
});

test('a merchant’s page shows keys by their ends only, errors, money and a simulated price', async () => {
  await server.call(shop, 'POST', '/shipping', { body: {} });
  const { page } = await eventually(async () => {
    const { body } = await accountant.call('readMerchantPage', { params: { id: shop.id } });
    expect(body.page.errors).toContainEqual(expect.objectContaining({ method: 'POST', status: 400 }));
    return body;
  });
  expect(page).toMatchObject({
    merchant: { id: shop.id, paymentMode: 'deferred' },
    keys: [{ hint: shop.key.slice(-4), revokedAt: null }],
    days: expect.arrayContaining([expect.objectContaining({ shipments: expect.any(Number) })]),
  });
  expect(page.ledger.map(({ kind }: { kind: string }) => kind)).toContain('refund');
  expect(JSON.stringify(page)).not.toContain(shop.key);
  const quote = (body: object) => accountant.call('quoteForMerchant', { params: { id: shop.id }, body });
  expect(await quote({ weight: 2 })).toMatchObject({ status: 200, body: { quote: { price: expect.any(Number) } } });
  const passed = { weight: 2, scheduledDate: '2020-01-01', timeSlot: '14h-16h' };
  expect(await quote(passed)).toMatchObject({ status: 409, body: { error: 'NOT_POSSIBLE_NOW' } });
});

test('a driver’s page shows runs, incidents and sessions; signing out everywhere is logged', async () => {
  const readPage = async () => (await dispatcher.call('readDriverPage', { params: { id: driver.id } })).body.page;
  const page = await readPage();
  expect(page).toMatchObject({ driver: { name: 'Karim Leroy', available: true }, pay: null });
  expect(page.runs).toHaveLength(1);
  expect(page.incidents).toMatchObject([{ kind: 'recipient_absent', resolution: null }]);
  expect(page.sessions).toHaveLength(1);
  expect(await accountant.call('endDriverSessions', { params: { id: driver.id } })).toMatchObject({ status: 403 });
  const ended = await dispatcher.call('endDriverSessions', { params: { id: driver.id } });
  expect(ended).toMatchObject({ status: 200, body: { ended: 1 } });
  expect((await readPage()).sessions).toEqual([]);
  const act = await server.db
    .selectFrom('operator_acts')
    .select(['act', 'actor'])
    .where('subject_id', '=', driver.id)
    .execute();
  expect(act).toEqual([{ act: 'driver.signed_out', actor: 'Léa Morel' }]);
});
