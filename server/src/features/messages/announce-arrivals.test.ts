import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createTwin } from '../../../test/twin.ts';
import type { Arrival } from '../arrival/index.ts';
import { announceArrivals } from './announce-arrivals.handler.ts';
import { createMessageMetrics } from './message-metrics.ts';
import { saveMessageSettings } from './message-settings.ts';

const NOW = new Date('2031-03-05T13:30:00Z');

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer(); // without a worker, which would announce arrivals every minute
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => server.stop());

/** The job, with drivers who are expected in this many minutes. */
const announce = (minutes: Record<string, number> = {}) => {
  const toArrival = (away: number): Arrival => {
    const expected = new Date(NOW.getTime() + away * 60_000);
    return { expected, from: expected, until: new Date(expected.getTime() + 600_000), spread: 1, stopsBefore: 0 };
  };
  const found = new Map(Object.entries(minutes).map(([id, away]) => [id, toArrival(away)]));
  const arrivals = { ofDrivers: async () => found };
  const metrics = createMessageMetrics(new Registry());
  return announceArrivals({ ...server, arrivals, metrics }, NOW);
};

/** Shipments under way with one driver, who left with them in this order. */
async function setOff(account: TestAccount, many: number): Promise<string[]> {
  const driver = await createTestDriver(server.db, { available: false });
  const ids: string[] = [];
  for (let i = 0; i < many; i++) {
    const { _id } = await ship(server, account);
    await moveShipment(server, account, _id, 'assign', { driverId: driver.id });
    await moveShipment(server, account, _id, 'pick_up');
    await moveShipment(server, account, _id, 'depart', { now: new Date(Date.now() + i * 60_000) });
    ids.push(_id);
  }
  return ids;
}

const messagesOf = async (shipmentId = '') => {
  const rows = await server.db
    .selectFrom('messages')
    .select(['kind', 'status', 'body'])
    .where('shipment_id', '=', shipmentId)
    .where('kind', 'in', ['next-email', 'soon-sms'])
    .orderBy('kind')
    .execute();
  return rows.map(({ kind, status, body }) => ({ kind, status, body: body ?? '' }));
};
const wantSms = async (account: TestAccount) =>
  server.db
    .transaction()
    .execute((tx) => saveMessageSettings(tx, account.id, { messages: [{ kind: 'soon-sms', isOn: true }] }, new Date()));

test('the recipient of the driver’s next stop gets an e-mail with the expected window, once', async () => {
  const [first = '', second = ''] = await setOff(shop, 2);
  await Promise.all(Array.from({ length: 5 }, () => announce({ [first]: 5, [second]: 15 })));
  expect(await messagesOf(first)).toEqual([
    { kind: 'next-email', status: 'pending', body: expect.stringContaining('Arrivée estimée : 14:35–14:45') },
  ]);
  expect(await messagesOf(second)).toEqual([]);

  await moveShipment(server, shop, first, 'deliver');
  await announce();
  await announce({ [second]: 8 });
  const [next, ...more] = await messagesOf(second);
  expect(more).toEqual([]);
  expect(next?.body).toContain('Vous êtes le prochain arrêt');
  expect(next?.body).not.toContain('estimée'); // nobody could tell when it was written
});

test('a parcel that comes back is nobody’s next stop', async () => {
  const [returned = '', second = ''] = await setOff(shop, 2);
  await server.db.updateTable('shipments').set({ returned_at: new Date() }).where('id', '=', returned).execute();
  await announce();
  expect([await messagesOf(returned), (await messagesOf(second)).length]).toEqual([[], 1]);
});

test('the second SMS is sent if the merchant chose it, about ten minutes before the arrival, once', async () => {
  const account = await server.createAccount({ paymentMode: 'deferred' });
  const [id = ''] = await setOff(account, 1);
  const texts = async () => (await messagesOf(id)).filter(({ kind }) => kind === 'soon-sms').map(({ body }) => body);
  await announce({ [id]: 9 });
  expect(await texts()).toEqual([]);
  await wantSms(account);
  await announce();
  await announce({ [id]: 14 });
  expect(await texts()).toEqual([]);
  await Promise.all(Array.from({ length: 5 }, () => announce({ [id]: 9 })));
  await announce({ [id]: 3 });
  expect(await texts()).toEqual([
    expect.stringMatching(/^Votre colis Atelier Zoé arrive dans environ 10 minutes\. Suivi et code pour le livreur : /),
  ]);
});

test('five minutes before the arrival, it does not promise ten', async () => {
  const account = await server.createAccount({ paymentMode: 'deferred' });
  await wantSms(account);
  const [id = ''] = await setOff(account, 1);
  await announce({ [id]: 2 });
  expect((await messagesOf(id))[1]?.body).toContain('dans environ 5 minutes');
});

test('kinds that are switched off are not written, and those of a test twin are recorded', async () => {
  const account = await server.createAccount({ paymentMode: 'deferred' });
  await server.db
    .transaction()
    .execute((tx) =>
      saveMessageSettings(tx, account.id, { messages: [{ kind: 'next-email', isOn: false }] }, new Date()),
    );
  const [off] = await setOff(account, 1);
  await announce();
  expect(await messagesOf(off)).toEqual([]);

  const twin = await createTwin(server, account);
  await wantSms(twin);
  const { _id } = await ship(server, twin);
  const driver = await createTestDriver(server.db, { available: false });
  await server.db.updateTable('drivers').set({ test_account_id: twin.id }).where('id', '=', driver.id).execute();
  await moveShipment(server, twin, _id, 'assign', { driverId: driver.id });
  await moveShipment(server, twin, _id, 'pick_up');
  await moveShipment(server, twin, _id, 'depart');
  await announce({ [_id]: 5 });
  expect((await messagesOf(_id)).map(({ kind, status }) => [kind, status])).toEqual([
    ['next-email', 'recorded'],
    ['soon-sms', 'recorded'],
  ]);
});
