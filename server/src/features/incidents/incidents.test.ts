import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestStaff } from '../../../test/console.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { factsOf, ship } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type SendCommand, type TestDriver } from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { assignAnyShipment } from '../dispatch/index.ts';

let server: TestServer;
let mailbox: FakeMailbox;
let shop: TestAccount;
let member: TestMember;
let ana: TestDriver;
let http: SendCommand;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startTestServer({ MAIL_URL: mailbox.url });
  shop = await server.createAccount({ paymentMode: 'deferred' });
  member = await createTestMember(server, shop.id);
  ana = await createTestDriver(server.db);
  http = overHttp(server.url, ana);
});
afterAll(async () => {
  await server.stop();
  await mailbox.stop();
});

async function assigned() {
  const { _id: id, referenceNumber } = await ship(server, shop);
  const context = { db: server.db, jobs: server.jobs, config: server.config, now: new Date() };
  await assignAnyShipment(context, referenceNumber, ana.id);
  return { id, referenceNumber, code: (await factsOf(server, id)).code };
}
async function carried() {
  const run = await assigned();
  await http('pickUp', { id: run.id });
  await http('depart', { id: run.id });
  return run;
}
const report = (id: string, kind: string, more = {}) =>
  http('reportIncident', { id, kind, commandId: randomUUID(), ...more });
const incidentsOf = async (id: string) => (await member.call('readShipment', { params: { id } })).body.incidents;
const navette = (...args: string[]) => runNavette(args, server.environment);
const resolve = (reference: string, as: string, ...more: string[]) =>
  navette('incident', 'resolve', reference, '--as', as, '--reason', 'by phone', '--json', ...more);
const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('an incident', () => {
  test('leaves the status, is seen by merchant and operator, and is mailed to the members once', async () => {
    const { id, referenceNumber } = await carried();
    const place = { latitude: 48.86, longitude: 2.34 };
    const reported = await report(id, 'recipient_absent', { note: 'Digicode changé', place });
    expect(reported).toMatchObject({
      status: 200,
      body: { shipping: { status: 'in_transit', incident: { kind: 'recipient_absent', note: 'Digicode changé' } } },
    });
    await report(id, 'wrong_address');
    expect(await incidentsOf(id)).toEqual([expect.objectContaining({ kind: 'wrong_address', resolution: null })]);
    const listed = JSON.parse((await navette('incident', 'list', '--json')).stdout);
    expect(listed).toContainEqual(expect.objectContaining({ reference: referenceNumber, kind: 'wrong_address' }));
    await withWorker(server, () => eventually(() => expect(mailbox.sentTo(member.email)).toHaveLength(1)));
    expect(mailbox.sentTo(member.email)[0]?.subject).toContain(referenceNumber);
  });

  test('ends when the driver delivers after all', async () => {
    const { id, code } = await carried();
    await report(id, 'recipient_absent');
    await http('deliver', { id, deliveryCode: code });
    expect(await incidentsOf(id)).toMatchObject([{ resolution: 'tried_again' }]);
  });

  test('of a returned parcel closes it for the driver; the status stays, and nothing moves it any more', async () => {
    const { id, referenceNumber, code } = await carried();
    await report(id, 'recipient_refuses');
    expect(JSON.parse((await resolve(referenceNumber, 'returned')).stdout)).toMatchObject({ status: 'in_transit' });
    expect((await http('listShipments')).body.shippings.map(({ id }: { id: string }) => id)).not.toContain(id);
    const ended = (await http('listEndedShipments')).body.shippings;
    expect(ended).toContainEqual(
      expect.objectContaining({ id, incident: expect.objectContaining({ resolution: 'returned' }) }),
    );
    const refused = { status: 409, body: { error: 'NOT_ALLOWED_NOW' } };
    expect(await http('deliver', { id, deliveryCode: code })).toMatchObject(refused);
    expect(await report(id, 'other')).toMatchObject(refused);
    expect(await navette('shipment', 'confirm-delivery', referenceNumber, '--reason', 'x')).toMatchObject({ code: 1 });
    expect((await server.call(shop, 'GET', `/shipping/${id}`)).body.shipping.status).toBe('in_transit');
  });

  test('is resolved by leaving the parcel with a named person, or by the operator’s confirmation', async () => {
    const [left, confirmed] = [await carried(), await carried()];
    for (const { id } of [left, confirmed]) await report(id, 'recipient_absent');
    expect(await resolve(left.referenceNumber, 'left_with')).toMatchObject({ code: 2 });
    await resolve(left.referenceNumber, 'left_with', '--name', 'Mme Petit');
    await navette('shipment', 'confirm-delivery', confirmed.referenceNumber, '--reason', 'seen by camera');
    expect(await incidentsOf(left.id)).toMatchObject([{ resolution: 'left_with', leftWith: 'Mme Petit' }]);
    expect(await incidentsOf(confirmed.id)).toMatchObject([{ resolution: 'confirmed' }]);
    for (const { id } of [left, confirmed]) expect(await factsOf(server, id)).toMatchObject({ status: 'delivered' });
    expect(await resolve(left.referenceNumber, 'tried_again')).toMatchObject({ code: 1 });
  });

  test('before the pickup ends when the merchant cancels, and when the driver gives the run back', async () => {
    const [cancelled, givenBack] = [await assigned(), await assigned()];
    for (const { id } of [cancelled, givenBack]) await report(id, 'damaged');
    await server.call(shop, 'PUT', `/shipping/${cancelled.id}/cancel`);
    await http('abandon', { id: givenBack.id });
    expect(await incidentsOf(cancelled.id)).toMatchObject([{ resolution: 'cancelled' }]);
    expect(await incidentsOf(givenBack.id)).toMatchObject([{ resolution: 'tried_again' }]);
  });

  test.each([
    ['the merchant', 'merchant'],
    ['staff of the operator', 'operator'],
  ])('that ends with a cancellation by %s names who ended it', async (_who, by) => {
    const { id } = await assigned();
    await report(id, 'damaged');
    const staff = await createTestStaff(server);
    if (by === 'merchant') await server.call(shop, 'PUT', `/shipping/${id}/cancel`);
    else {
      const { version } = (await staff.call('readShipmentPage', { params: { id } })).body.shipment;
      await staff.call('cancelAsOperator', { params: { id }, body: { reason: 'Colis abîmé', version } });
    }
    const { story } = (await staff.call('readShipmentPage', { params: { id } })).body;
    const ended = story.find(({ kind }: { kind: string }) => kind === 'incident_ended');
    expect(ended).toMatchObject({ facts: { resolution: 'cancelled', endedBy: by } });
  });

  test('opens by itself when a code that was typed without network turns out to be wrong', async () => {
    const { id, code } = await carried();
    const inTime = { id, deliveryCode: wrongOf(code), commandId: randomUUID(), doneAt: new Date().toISOString() };
    await http('deliver', inTime);
    expect(await incidentsOf(id)).toEqual([]);
    server.setNow(new Date(Date.now() + 10 * 60_000));
    const late = { ...inTime, commandId: randomUUID() };
    for (let i = 0; i < 2; i++)
      expect(await http('deliver', late)).toMatchObject({ status: 403, body: { attemptsLeft: 3 } });
    server.setNow(null);
    expect(await incidentsOf(id)).toMatchObject([{ kind: 'code_refused', resolution: null }]);
  });
});

test('every invariant holds afterwards', async () => {
  expect(await brokenInvariants(server, new Date(Date.now() + 3_600_000))).toEqual([]);
});
