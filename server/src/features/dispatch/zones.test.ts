import { randomUUID } from 'node:crypto';
import type { ZoneShape } from '@navette/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { openOffers, ship, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, type TestDriver } from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';
import { explainAnyShipment } from './index.ts';

const HOUR_MS = 3_600_000;
const PICKUP_ZONE: ZoneShape = { kind: 'circle', centre: { latitude: 48.8556, longitude: 2.3601 }, radiusMetres: 300 };
const BREST: ZoneShape = {
  kind: 'polygon',
  corners: [
    { latitude: 48.3, longitude: -4.6 },
    { latitude: 48.5, longitude: -4.6 },
    { latitude: 48.5, longitude: -4.4 },
    { latitude: 48.3, longitude: -4.4 },
  ],
};
const MESSAGE = 'Une crue retarde votre livraison.';

let server: TestServer;
let worker: TestWorker;
let mailbox: FakeMailbox;
let shop: TestAccount;
let lea: TestStaff;
let driver: TestDriver;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startTestServer({ MAIL_URL: mailbox.url, DISPATCH_OFFER_SECONDS: '600' });
  worker = await startTestWorker(server);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  lea = await createTestStaff(server, 'dispatcher', { name: 'Léa Morel' });
  driver = await createTestDriver(server.db);
  await standAt(server, driver, 1);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await mailbox.stop();
});
afterEach(async () => {
  const { body } = await lea.call('listZones');
  for (const { id } of body.zones) await lea.call('liftZone', { params: { id } });
});

const soon = () => new Date(Date.now() + HOUR_MS).toISOString();
const zoneOf = (shape: ZoneShape, more: object = {}) => ({
  ...{ id: randomUUID(), shape, endsAt: soon(), reason: 'Crue de la Seine', message: MESSAGE },
  ...more,
});
const create = (body: object) => lea.call('createZone', { body });
const toBrest = () =>
  ship(server, shop, {
    deliveryAddress: { ...shipmentRequest().deliveryAddress, coordinates: { latitude: 48.4, longitude: -4.5 } },
  });
const isOffered = (id: string) =>
  eventually(async () => {
    await standAt(server, driver, 1).catch(() => {}); // forgotten after two minutes; kept once a second
    expect(await openOffers(server, id)).toEqual([driver.id]);
  });
const zoneOfSearch = async (shipmentId: string) =>
  (
    await server.db
      .selectFrom('driver_searches')
      .select('zone_id')
      .where('shipment_id', '=', shipmentId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
  )?.zone_id;
const isHeldBy = (shipmentId: string, zoneId: string) =>
  eventually(async () => expect(await zoneOfSearch(shipmentId)).toBe(zoneId));
const noticesOf = (reference: string) =>
  mailbox.mails.filter(({ subject, text }) => subject?.includes('retardée') && text?.includes(reference));

describe('a zone', () => {
  test('withdraws offers and lets the search wait; the preview says how many; lifting it goes on', async () => {
    const { _id: id, referenceNumber } = await ship(server, shop);
    await isOffered(id);
    const elsewhere = await lea.call('previewZone', { body: { shape: BREST, endsAt: soon() } });
    const { body: preview } = await lea.call('previewZone', { body: { shape: PICKUP_ZONE, endsAt: soon() } });
    expect([elsewhere.body.searches, preview.searches, preview.recipients]).toEqual([0, 1, 1]);
    expect(preview.corners).toHaveLength(48);
    expect(await zoneOfSearch(id)).toBe(null);

    const zone = zoneOf(PICKUP_ZONE);
    expect((await create(zone)).status).toBe(200);
    await isHeldBy(id, zone.id);
    expect(await openOffers(server, id)).toEqual([]);
    await eventually(() => expect(noticesOf(referenceNumber)).toHaveLength(1));
    expect(noticesOf(referenceNumber)[0]?.text).toContain(MESSAGE);

    const { lines } = (await explainAnyShipment(server.db, referenceNumber)) ?? { lines: [] };
    expect(lines.at(-1)?.text).toMatch(/^It lies in a zone without offers until .*“Crue de la Seine”/);
    const { body: inbox } = await lea.call('listInbox', { query: { kind: 'offers_stopped' } });
    expect(inbox.entries).toMatchObject([{ subject: { id: zone.id, title: zone.reason }, facts: { waiting: 1 } }]);

    expect((await lea.call('liftZone', { params: { id: zone.id } })).status).toBe(200);
    await isOffered(id);
    expect(await zoneOfSearch(id)).toBe(null);
    expect((await lea.call('listInbox', { query: { kind: 'offers_stopped' } })).body.entries).toEqual([]);
    await server.call(shop, 'PUT', `/shipping/${id}/cancel`, { body: {} });
  });

  test('over the place of delivery holds a shipment that is created later, and informs its recipient once', async () => {
    const zone = zoneOf(BREST);
    await create(zone);
    const [inside, outside] = [await toBrest(), await ship(server, shop)];
    await isHeldBy(inside._id, zone.id);
    await isOffered(outside._id);
    await eventually(() => expect(noticesOf(inside.referenceNumber)).toHaveLength(1));

    const second = zoneOf(BREST, { endsAt: new Date(Date.now() + 2 * HOUR_MS).toISOString() });
    await create(second);
    await isHeldBy(inside._id, second.id);
    const after = await toBrest();
    await eventually(() => expect(noticesOf(after.referenceNumber)).toHaveLength(1));
    expect(noticesOf(inside.referenceNumber)).toHaveLength(1);
  });

  test('without a message informs nobody', async () => {
    const { message: _, ...silent } = zoneOf(BREST);
    await create(silent);
    const { _id } = await toBrest();
    await isHeldBy(_id, silent.id);
    const notices = await server.db
      .selectFrom('messages')
      .select('id')
      .where('shipment_id', '=', _id)
      .where('kind', '=', 'zone-email')
      .execute();
    expect(notices).toEqual([]);
  });

  test('is created once by the same request, and recorded in the log of acts', async () => {
    const zone = zoneOf(BREST);
    expect((await create(zone)).body.zone).toMatchObject({
      id: zone.id,
      createdBy: 'Léa Morel',
      waiting: expect.any(Number),
    });
    expect((await create(zone)).status).toBe(200);
    for (let i = 0; i < 2; i++) expect((await lea.call('liftZone', { params: { id: zone.id } })).status).toBe(200);
    const acts = await server.db
      .selectFrom('operator_acts')
      .select(['act', 'actor'])
      .where('subject_id', '=', zone.id)
      .orderBy('number')
      .execute();
    expect(acts).toEqual([
      { act: 'zone.created', actor: 'Léa Morel' },
      { act: 'zone.lifted', actor: 'Léa Morel' },
    ]);
  });

  test.each([
    ['a circle without a centre', { shape: { kind: 'circle', radiusMetres: 500 } }, 'shape'],
    ['a polygon without corners', { shape: { kind: 'polygon' } }, 'shape'],
    ['an end in the past', { endsAt: new Date(0).toISOString() }, 'endsAt'],
    ['an end in eight days', { endsAt: new Date(Date.now() + 8 * 24 * HOUR_MS).toISOString() }, 'endsAt'],
  ])('with %s is refused', async (_case, wrong, path) => {
    const { status, body } = await create({ ...zoneOf(BREST), ...wrong });
    expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
  });

  test('that nobody knows cannot be lifted', async () => {
    expect((await lea.call('liftZone', { params: { id: randomUUID() } })).status).toBe(404);
    expect((await lea.call('liftZone', { params: { id: 'x' } })).status).toBe(404);
  });
});
