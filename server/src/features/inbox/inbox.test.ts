import { randomUUID } from 'node:crypto';
import type { InboxEntry, InboxKind } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ageWebhooks } from '../../../test/age-webhooks.ts';
import { assignTo, carriedBy as carried } from '../../../test/carried.ts';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { factsOf, northOfPickup, openOffers, ship, shipMany, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { type FakeTwilio, startFakeTwilio } from '../../../test/fake-twilio.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { createOldSpecialRequest } from '../../../test/old-special-request.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { subscribe } from '../../../test/subscribe.ts';
import type { TestAccount, TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { runAudit } from '../../audit/run-audit.ts';
import { pauseFailingWebhooks } from '../webhooks/pause-failing-webhooks.handler.ts';

const SETTINGS = {
  DISPATCH_RETRY_SECONDS: '600', // a search that found nobody stays so within a test
  INBOX_DRIVER_SILENT_MINUTES: '11',
  INBOX_WEBHOOK_FAILING_HOURS: '1',
};
const MINUTE_MS = 60_000;

let stage: WebhookServer;
let server: TestServer;
let worker: TestWorker;
let twilio: FakeTwilio;
let mailbox: FakeMailbox;
let shop: TestAccount;
let staff: TestStaff;
beforeAll(async () => {
  [twilio, mailbox] = await Promise.all([startFakeTwilio(), startFakeMailbox()]);
  stage = await startWebhookServer({ ...SETTINGS, SMS_URL: twilio.url, MAIL_URL: mailbox.url });
  ({ server } = stage);
  worker = await startTestWorker(server);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  staff = await createTestStaff(server, 'admin', { name: 'Alex Dupont' });
});
afterAll(async () => {
  await worker.stop();
  await stage.stop();
  await Promise.all([twilio.stop(), mailbox.stop()]);
});
afterEach(() => server.setNow(null));

async function inbox(kind?: InboxKind): Promise<InboxEntry[]> {
  const { status, body } = await staff.call('listInbox', { query: kind ? { kind } : {} });
  expect(status).toBe(200);
  return body.entries;
}
/** Waits until there is one entry of this kind about this subject. */
const listed = (kind: InboxKind, subjectId: string): Promise<InboxEntry> =>
  eventually(async () => {
    const found = (await inbox(kind)).filter(({ subject }) => subject.id === subjectId);
    expect(found).toHaveLength(1);
    return found[0] as InboxEntry;
  });
const gone = (kind: InboxKind, subjectId: string) =>
  eventually(async () => expect((await inbox(kind)).map(({ subject }) => subject.id)).not.toContain(subjectId));
const lastActs = async (subjectId: string) =>
  server.db
    .selectFrom('operator_acts')
    .select(['act', 'actor', 'reason'])
    .where('subject_id', '=', subjectId)
    .orderBy('number')
    .execute();
const done = { status: 200, body: { success: true } };

const carriedBy = (driver: TestDriver) => carried(server, shop, staff, driver);

describe('each kind is listed because of its fact, and leaves the list by its act', () => {
  test('no_driver: a search that found nobody, until a driver is assigned', async () => {
    const { _id: id, referenceNumber } = await ship(server, shop);
    const entry = await listed('no_driver', id);
    expect(entry).toMatchObject({
      key: `no_driver:${id}`,
      subject: { type: 'shipment', id, title: referenceNumber },
      account: { id: shop.id, name: 'Atelier Zoé' },
      facts: { asked: 0, from: 'Paris' },
      ...{ state: 'open', takenBy: null, snoozedUntil: null, note: null, version: 0 },
    });
    const driver = await createTestDriver(server.db, { firstName: 'Bilal' });
    await standAt(server, driver, 40);
    const { drivers, shipment } = (await staff.call('listAssignableDrivers', { params: { id } })).body;
    expect(shipment).toMatchObject({ id, status: 'created', version: entry.subject.version, driver: null });
    expect(drivers).toContainEqual(
      expect.objectContaining({ id: driver.id, name: 'Bilal Leroy', distanceKm: 40, runs: 0, warnings: ['far'] }),
    );
    const body = { driverId: driver.id, version: entry.subject.version };
    expect(await staff.call('assignShipment', { params: { id }, body })).toMatchObject({
      status: 200,
      body: { shipment: { status: 'assigned', driver: { id: driver.id, name: 'Bilal Leroy' } }, approvalId: null },
    });
    await gone('no_driver', id);
    expect(await lastActs(id)).toEqual([{ act: 'shipment.assigned', actor: 'Alex Dupont', reason: null }]);
  });

  test('no_place: an address that the geocoder does not find, until a person places it on the map', async () => {
    const { coordinates: _, ...unlocated } = shipmentRequest().deliveryAddress;
    const deliveryAddress = { ...unlocated, country: 'Atlantide', city: 'Nulle part', postalCode: '99999' };
    const { _id: id } = await ship(server, shop, { deliveryAddress });
    expect(await listed('no_place', id)).toMatchObject({ facts: { missing: 'delivery' } });
    const driver = await createTestDriver(server.db);
    await standAt(server, driver, 0.1);
    const body = { address: 'delivery', latitude: 48.86, longitude: 2.33 };
    expect(await staff.call('setShipmentLocation', { params: { id }, body })).toMatchObject(done);
    await gone('no_place', id);
    await eventually(async () => expect(await openOffers(server, id)).toContain(driver.id));
    await overHttp(server.url, driver)('setAvailability', { available: false });
    expect(await lastActs(id)).toMatchObject([{ act: 'shipment.located' }]);
  });

  test('no_pickup_time: one entry for an account, until its pickup time is agreed', async () => {
    const special = await createOldSpecialRequest(server);
    await ship(server, special);
    await ship(server, special);
    expect(await listed('no_pickup_time', special.id)).toMatchObject({
      subject: { type: 'account', title: 'Atelier Zoé', version: null },
      facts: { shipments: 2 },
    });
    const settings = JSON.stringify({ agreedPickupTime: '17:30' });
    await runNavette(['account', 'update', special.id, '--input', '-'], server.environment, settings);
    await gone('no_pickup_time', special.id);
  });

  test('code_locked: after five wrong codes, until the delivery is confirmed', async () => {
    const { id, send, code } = await carriedBy(await createTestDriver(server.db));
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    for (let tries = 1; tries <= 4; tries++) await send('deliver', { id, deliveryCode: wrong });
    expect((await inbox('code_locked')).map(({ subject }) => subject.id)).not.toContain(id);
    const lockedAfter = new Date();
    await send('deliver', { id, deliveryCode: wrong });
    const entry = await listed('code_locked', id);
    expect(entry.facts).toMatchObject({ driver: 'Ana Leroy', driverPhone: '+33611111111' });
    expect(new Date(entry.since).getTime()).toBeGreaterThanOrEqual(lockedAfter.getTime());
    const body = { reason: 'recipient confirmed by phone', version: entry.subject.version };
    expect(await staff.call('confirmDelivery', { params: { id }, body })).toMatchObject(done);
    await gone('code_locked', id);
  });

  test('incident_open: what a driver reports, until a person decides', async () => {
    const { id, send } = await carriedBy(await createTestDriver(server.db));
    await send('reportIncident', { id, kind: 'recipient_absent', commandId: randomUUID(), note: 'Digicode changé' });
    const entry = await listed('incident_open', id);
    expect(entry.facts).toMatchObject({ incident: 'recipient_absent', note: 'Digicode changé', driver: 'Ana Leroy' });
    const body = { resolution: 'left_with', reason: 'agreed by phone', version: entry.subject.version };
    const incomplete = await staff.call('resolveIncident', { params: { id }, body });
    expect(incomplete).toMatchObject({ status: 400, body: { errors: [{ path: 'leftWith' }] } });
    expect(
      await staff.call('resolveIncident', { params: { id }, body: { ...body, leftWith: 'Mme Petit' } }),
    ).toMatchObject({ status: 200, body: { shipment: { status: 'delivered' } } });
    await gone('incident_open', id);
    expect((await lastActs(id)).at(-1)).toEqual({
      act: 'incident.resolved',
      actor: 'Alex Dupont',
      reason: 'agreed by phone',
    });
  });

  test('nearly_late, then late: a parcel in its slot, until it is delivered', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const clock = (time: string) => server.setNow(new Date(`${yesterday}T${time}Z`));
    clock('08:00:00');
    const driver = await createTestDriver(server.db, { now: new Date(`${yesterday}T08:00:00Z`) });
    const { _id: id } = await ship(server, shop, { scheduledDate: yesterday, timeSlot: '14h-16h' });
    await workDone(server); // its time has come by the worker's clock, which is today's
    await assignTo(staff, id, driver);
    const { rows } = await sql<{ ends: number }>`
      select extract(epoch from estimated_delivery_at)::float8 * 1000 as ends from shipments where id = ${id}`.execute(
      server.db,
    );
    const ends = rows[0]?.ends ?? Number.NaN;
    server.setNow(new Date(ends - 31 * MINUTE_MS));
    expect((await inbox()).map(({ subject }) => subject.id)).not.toContain(id);
    server.setNow(new Date(ends - 29 * MINUTE_MS));
    expect((await listed('nearly_late', id)).facts).toMatchObject({ status: 'assigned', minutesLeft: 29 });
    const send = overHttp(server.url, driver);
    await send('pickUp', { id });
    await send('depart', { id });
    await send('sendPosition', northOfPickup(9));
    expect((await listed('nearly_late', id)).facts.kmLeft).toBeGreaterThan(5);
    server.setNow(new Date(ends - 20 * MINUTE_MS));
    await send('sendPosition', { latitude: 48.8639, longitude: 2.3346 });
    await gone('nearly_late', id);
    server.setNow(new Date(ends + 5 * MINUTE_MS));
    expect((await listed('late', id)).facts).toMatchObject({ driver: 'Ana Leroy', minutesLate: 5 });
    await send('deliver', { id, deliveryCode: (await factsOf(server, id)).code });
    await gone('late', id);
  });

  test('driver_silent: a driver with parcels whose phone sends nothing, until it does', async () => {
    const driver = await createTestDriver(server.db);
    const { id, send, code } = await carriedBy(driver);
    server.setNow(new Date(Date.now() + 10 * MINUTE_MS));
    expect((await inbox('driver_silent')).map(({ subject }) => subject.id)).not.toContain(driver.id);
    server.setNow(new Date(Date.now() + 12 * MINUTE_MS));
    expect(await listed('driver_silent', driver.id)).toMatchObject({
      subject: { type: 'driver', title: 'Ana Leroy' },
      facts: { parcels: 1, driverPhone: '+33611111111' },
    });
    // The phone sends again and again; a request of the last 400 ms is not noted a second time.
    await eventually(async () => {
      await send('sendPosition', northOfPickup(1));
      expect((await inbox('driver_silent')).map(({ subject }) => subject.id)).not.toContain(driver.id);
    });
    server.setNow(null);
    await send('deliver', { id, deliveryCode: code }); // no message announces it any more
  });

  test('webhook_failing, then webhook_paused: an endpoint that is down, until it is resumed', async () => {
    const merchant = await server.createAccount({ paymentMode: 'deferred', name: 'Boutique en panne' });
    const { _id: id } = await subscribe(server, stage.receiver, merchant, '/down');
    stage.receiver.behave('/down', (_request, response) => response.writeHead(500).end());
    const fail = async () => {
      await shipMany(server, merchant, 3);
      await workDone(server);
    };
    await fail();
    await eventually(async () => {
      const row = await server.db
        .selectFrom('webhooks')
        .select('failing_since')
        .where('id', '=', id)
        .executeTakeFirst();
      expect(row?.failing_since).not.toBeNull();
    });
    expect((await inbox('webhook_failing')).map(({ subject }) => subject.id)).not.toContain(id);
    await ageWebhooks(server, merchant, 73);
    expect(await listed('webhook_failing', id)).toMatchObject({
      subject: { type: 'webhook', title: expect.stringContaining('127.0.0.1') },
      account: { name: 'Boutique en panne' },
    });
    await fail();
    await eventually(async () => {
      await pauseFailingWebhooks(server.db, server.jobs, new Date()); // the worker's own job may be first
      await listed('webhook_paused', id);
    });
    await gone('webhook_failing', id);
    expect(await staff.call('resumeWebhook', { params: { id } })).toMatchObject(done);
    await gone('webhook_paused', id);
    expect(await staff.call('resumeWebhook', { params: { id } })).toMatchObject({
      status: 409,
      body: { error: 'NOT_POSSIBLE_NOW' },
    });
    expect(await lastActs(id)).toMatchObject([{ act: 'webhook.resumed', actor: 'Alex Dupont' }]);
  });

  test('message_failed: a recipient whom nothing reached, until the message is sent', async () => {
    const person = { phoneNumber: '+33612340001', email: 'nobody@example.org' };
    const refused = { status: 400, code: 21_610 };
    await workDone(server); // no other message uses up these answers
    twilio.answerWith(refused);
    mailbox.answerWith({ code: 550, at: 'rcpt' });
    const { _id: id } = await ship(server, shop, {
      deliveryAddress: { ...shipmentRequest().deliveryAddress, ...person },
    });
    const messageOf = (kind: string) =>
      server.db.selectFrom('messages').select(['id', 'status']).where('shipment_id', '=', id).where('kind', '=', kind);
    await eventually(async () =>
      expect((await messageOf('recipient-sms').executeTakeFirstOrThrow()).status).toBe('failed'),
    );
    const { id: messageId } = await messageOf('recipient-sms').executeTakeFirstOrThrow();
    const entry = await listed('message_failed', messageId);
    expect(entry).toMatchObject({ subject: { type: 'message' }, facts: { to: '+33•••••001', shipmentId: id } });
    expect(JSON.stringify(entry)).not.toContain(person.phoneNumber);
    expect(await staff.call('retryMessage', { params: { id: messageId } })).toMatchObject(done);
    await eventually(() => expect(twilio.sentTo(person.phoneNumber)).toHaveLength(1));
    await gone('message_failed', messageId);
    expect(await staff.call('retryMessage', { params: { id: messageId } })).toMatchObject({ status: 404 });
  });

  test('balance_empty: a prepaid account whose order was refused, until a credit', async () => {
    const prepaid = await server.createAccount({ paymentMode: 'prepaid', name: 'Sans solde' });
    expect((await inbox('balance_empty')).map(({ subject }) => subject.id)).not.toContain(prepaid.id);
    for (let i = 0; i < 3; i++) await server.call(prepaid, 'POST', '/shipping', { body: shipmentRequest() });
    expect(await listed('balance_empty', prepaid.id)).toMatchObject({
      subject: { type: 'account', title: 'Sans solde' },
      facts: { balance: 0, refusedPrice: 8.5 },
    });
    const credit = ['account', 'credit', prepaid.id, '--amount', '20', '--note', 'transfer'];
    expect(await runNavette(credit, server.environment)).toMatchObject({ code: 0 });
    await gone('balance_empty', prepaid.id);
  });

  test('approval_waiting: a credit above the limit of one person, until another one decides', async () => {
    const body = { amount: 99_000, reason: 'settlement of a claim', requestId: randomUUID() };
    const asked = await staff.call('creditAccount', { params: { id: shop.id }, body });
    expect(asked.status).toBe(202);
    const id: string = asked.body.approvalId;
    expect(await listed('approval_waiting', id)).toMatchObject({
      subject: { type: 'approval', title: 'Atelier Zoé' },
      account: { id: shop.id },
      facts: { act: 'account.credited', amount: 99_000, requestedBy: 'Alex Dupont', reason: 'settlement of a claim' },
    });
    const other = await createTestStaff(server, 'admin', { name: 'Sam Petit' });
    expect(await other.call('decideApproval', { params: { id }, body: { approve: true } })).toMatchObject(done);
    await gone('approval_waiting', id);
  });

  test('audit_finding and retention_late: what the last audit found, until an audit finds nothing', async () => {
    await ship(server, shop);
    const rows = async () => (await inbox()).filter(({ subject }) => subject.type === 'system');
    await sql`update account_counters set balance_cents = balance_cents + 1 where account_id = ${shop.id}`.execute(
      server.db,
    );
    await sql`update shipments set delivery_code = null where account_id = ${shop.id}`.execute(server.db);
    await runAudit(server.db, server.config);
    const found = await rows();
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['audit_finding', 'retention_late']));
    expect(found.map(({ subject }) => subject.title)).toContain(
      'a delivery code goes in time after the shipment has ended, and never before',
    );
    await sql`update account_counters set balance_cents = balance_cents - 1 where account_id = ${shop.id}`.execute(
      server.db,
    );
    await sql`update shipments set delivery_code = '123456' where account_id = ${shop.id}`.execute(server.db);
    await runAudit(server.db, server.config);
    expect((await rows()).map(({ subject }) => subject.title)).toEqual([]);
  });
});
