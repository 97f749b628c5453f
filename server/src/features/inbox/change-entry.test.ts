import type { InboxEntry } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { crowd } from '../../../test/crowd.ts';
import { factsOf, ship } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';
import { createMemoryPositions } from '../drivers/index.ts';
import { purgeInboxStates } from './purge-inbox-states.handler.ts';

let server: TestServer;
let worker: TestWorker;
let shop: TestAccount;
let driver: TestDriver;
let alex: TestStaff;
let sam: TestStaff;
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_RETRY_SECONDS: '600' });
  worker = await startTestWorker(server);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  driver = await createTestDriver(server.db);
  alex = await createTestStaff(server, 'dispatcher', { name: 'Alex Dupont' });
  sam = await createTestStaff(server, 'support', { name: 'Sam Petit' });
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

type State = 'open' | 'taken' | 'snoozed' | 'resolved' | 'mine';
async function list(who: TestStaff, state?: State) {
  const { status, body } = await who.call('listInbox', { query: state ? { state } : {} });
  expect(status).toBe(200);
  return body as { entries: InboxEntry[]; counts: Record<string, number> };
}
const keys = async (who: TestStaff, state?: State) => (await list(who, state)).entries.map(({ key }) => key);
const change = (who: TestStaff, key: string, body: object) => who.call('changeInboxEntry', { params: { key }, body });
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** A shipment without a driver, and the key of its entry. */
async function unassigned(): Promise<{ id: string; key: string; version: string }> {
  const { _id: id } = await ship(server, shop);
  const key = `no_driver:${id}`;
  return eventually(async () => {
    const entry = (await list(alex)).entries.find((one) => one.key === key);
    expect(entry).toBeDefined();
    return { id, key, version: entry?.subject.version ?? '' };
  });
}

describe('an entry', () => {
  test('is taken by one person and listed as theirs; the second is refused with the name of the first', async () => {
    const { key } = await unassigned();
    expect(await change(alex, key, { change: 'take', version: 0 })).toMatchObject({
      status: 200,
      body: { entry: { key, state: 'taken', takenBy: { id: alex.id, name: 'Alex Dupont' }, version: 1 } },
    });
    expect(await change(sam, key, { change: 'take', version: 0 })).toMatchObject({
      status: 409,
      body: { error: 'CHANGED_MEANWHILE', by: 'Alex Dupont', change: 'inbox.taken', at: expect.any(String) },
    });
    expect(await keys(alex, 'mine')).toContain(key);
    expect(await keys(sam, 'mine')).not.toContain(key);
    expect(await keys(sam)).toContain(key);
    await change(sam, key, { change: 'release', version: 1 });
    expect(await keys(alex, 'mine')).not.toContain(key);
    expect(await keys(alex, 'open')).toContain(key);
  });

  test('is changed only by a role that may do its next act; others see it', async () => {
    const { key } = await unassigned();
    const accountant = await createTestStaff(server, 'accountant');
    for (const wanted of ['take', 'resolve', 'reopen'] as const) {
      expect(await change(accountant, key, { change: wanted, version: 0 })).toMatchObject({
        status: 403,
        body: { error: 'ROLE_NOT_ALLOWED', needs: 'dispatch' },
      });
    }
    expect(await keys(accountant, 'open')).toContain(key);
  });

  test('of two people who take it at once, exactly one has it', async () => {
    const { key } = await unassigned();
    const attempts = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? alex : sam));
    const answers = await crowd(20, attempts, (who) => change(who, key, { change: 'take', version: 0 }));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const name = winners[0]?.body.entry.takenBy.name;
    for (const { status, body } of answers.filter((answer) => answer !== winners[0]))
      expect([status, body.error, body.by]).toEqual([409, 'CHANGED_MEANWHILE', name]);
  });

  test('is hidden while it is snoozed, at most a week, and is counted again afterwards', async () => {
    const { key } = await unassigned();
    const before = (await list(alex)).counts.no_driver ?? 0;
    for (const until of [undefined, new Date(Date.now() - 1_000).toISOString(), new Date(Date.now() + 8 * 86_400_000)])
      expect(await change(alex, key, { change: 'snooze', version: 0, until })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'until' }] },
      });
    const snoozed = await change(alex, key, { change: 'snooze', version: 0, until: inAnHour(), note: 'shop closed' });
    expect(snoozed.body.entry).toMatchObject({ state: 'snoozed', note: 'shop closed' });
    expect(await keys(alex)).not.toContain(key);
    expect(await keys(alex, 'snoozed')).toContain(key);
    expect((await list(alex)).counts.no_driver ?? 0).toBe(before - 1);
    server.setNow(new Date(Date.now() + 3_700_000));
    expect(await keys(alex)).toContain(key);
    server.setNow(null);
    await change(sam, key, { change: 'reopen', version: 1 });
    expect(await keys(alex, 'open')).toContain(key);
  });

  test('that was resolved stays so, and returns when its fact starts again', async () => {
    const { id, key, version } = await unassigned();
    await change(alex, key, { change: 'resolve', version: 0, note: 'the shop keeps it' });
    expect(await keys(alex)).not.toContain(key);
    expect(await keys(alex, 'resolved')).toContain(key);
    await alex.call('assignShipment', { params: { id }, body: { driverId: driver.id, version } });
    expect(await keys(alex, 'resolved')).not.toContain(key);
    await overHttp(server.url, driver)('abandon', { id }); // another search, which finds nobody again
    await eventually(async () => expect(await keys(alex, 'open')).toContain(key));
    const entry = (await list(alex)).entries.find((one) => one.key === key);
    expect(entry).toMatchObject({ version: 1, note: 'the shop keeps it', takenBy: null });
  });

  test('whose fact has ended cannot be changed, and its state is deleted a day later', async () => {
    const [ended, lasting] = [await unassigned(), await unassigned()];
    for (const { key } of [ended, lasting]) await change(alex, key, { change: 'take', version: 0 });
    const { id, version } = ended;
    await alex.call('assignShipment', { params: { id }, body: { driverId: driver.id, version } });
    expect(await change(alex, ended.key, { change: 'resolve', version: 1 })).toMatchObject({ status: 404 });
    const positions = createMemoryPositions();
    const purge = (now: Date) => purgeInboxStates({ db: server.db, positions, config: server.config }, now);
    const states = async () =>
      (await server.db.selectFrom('inbox_states').select('key').execute()).map(({ key }) => key);
    await purge(new Date());
    expect(await states()).toContain(ended.key);
    await purge(new Date(Date.now() + 25 * 3_600_000));
    expect(await states()).not.toContain(ended.key);
    expect(await states()).toContain(lasting.key);
  });

  test('and every change of it are in the log of acts', async () => {
    const { key } = await unassigned();
    await change(alex, key, { change: 'take', version: 0 });
    await change(alex, key, { change: 'snooze', version: 1, until: inAnHour(), note: 'waiting for the shop' });
    const acts = await server.db
      .selectFrom('operator_acts')
      .select(['act', 'actor', 'reason'])
      .where('subject_id', '=', key)
      .orderBy('number')
      .execute();
    expect(acts).toEqual([
      { act: 'inbox.taken', actor: 'Alex Dupont', reason: null },
      { act: 'inbox.snoozed', actor: 'Alex Dupont', reason: 'waiting for the shop' },
    ]);
  });
});

describe('two people decide on the same parcel', () => {
  test('of 20 assignments at once by two people one wins; the others are refused with the name of the winner', async () => {
    const { id, version } = await unassigned();
    const drivers = [driver, await createTestDriver(server.db)];
    const attempts = Array.from({ length: 20 }, (_, i) => ({
      who: i % 2 === 0 ? alex : sam,
      driverId: (drivers[i % 2] as TestDriver).id,
    }));
    const answers = await crowd(20, attempts, ({ who, driverId }) =>
      who.call('assignShipment', { params: { id }, body: { driverId, version } }),
    );
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await factsOf(server, id)).toMatchObject({
      driver: attempts[winner]?.driverId,
      history: ['created', 'assigned'],
    });
    for (const { status, body } of answers.filter((_, i) => i !== winner)) {
      expect(status).toBe(409);
      expect(body).toMatchObject({
        error: 'CHANGED_MEANWHILE',
        by: attempts[winner]?.who.name,
        change: 'shipment.assigned',
        at: expect.any(String),
      });
    }
  });

  test('after a change by the driver, the decision is refused without a name', async () => {
    const { id, version } = await unassigned();
    const { body } = await alex.call('assignShipment', { params: { id }, body: { driverId: driver.id, version } });
    await overHttp(server.url, driver)('pickUp', { id });
    const other = await createTestDriver(server.db);
    const late = await sam.call('assignShipment', {
      params: { id },
      body: { driverId: other.id, version: body.shipment.version },
    });
    expect(late).toMatchObject({ status: 409, body: { error: 'CHANGED_MEANWHILE', change: 'shipment.picked_up' } });
    expect(late.body.by).toBeUndefined();
  });

  test('an act that the state does not allow is refused with its reason, and unknown ids as not found', async () => {
    const { id, version } = await unassigned();
    const { body } = await alex.call('assignShipment', { params: { id }, body: { driverId: driver.id, version } });
    const again = { driverId: driver.id, version: body.shipment.version };
    expect(await sam.call('assignShipment', { params: { id }, body: again })).toMatchObject({
      status: 409,
      body: { error: 'NOT_POSSIBLE_NOW' },
    });
    const decision = { resolution: 'returned', reason: 'none', version: body.shipment.version };
    expect(await sam.call('resolveIncident', { params: { id }, body: decision })).toMatchObject({
      status: 409,
      body: { error: 'NOT_POSSIBLE_NOW' },
    });
    const unknown = '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60';
    for (const name of ['assignShipment', 'setShipmentLocation', 'resumeWebhook', 'retryMessage'] as const) {
      const body = { driverId: driver.id, version, address: 'pickup', latitude: 1, longitude: 1 };
      expect(await sam.call(name, { params: { id: unknown }, body })).toMatchObject({ status: 404 });
    }
  });
});
