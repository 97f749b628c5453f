import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestStaff } from '../../../test/console.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { openOffers, ship, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp } from '../../../test/driver-app.ts';
import { refusedAs } from '../../../test/envelopes.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { workDone } from '../../../test/test-worker.ts';
import { createTwin, switchMode } from '../../../test/twin.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { emptyIdleTwins } from './empty-idle-twins.handler.ts';

let server: TestServer;
let live: TestAccount;
let twin: TestAccount;
let developer: TestMember;
beforeAll(async () => {
  server = await startTestServer({ DRIVER_PAY_BASE_CENTS: '300' });
  live = await server.createAccount({ paymentMode: 'deferred' });
  twin = await createTwin(server, live);
  developer = await createTestMember(server, live.id, 'developer');
});
afterAll(() => server.stop());

const messagesOf = (shipmentId: string) =>
  server.db.selectFrom('messages').selectAll().where('shipment_id', '=', shipmentId).orderBy('kind').execute();

describe('keys', () => {
  test('show the mode, and open the twin only', async () => {
    expect([live.key, twin.key]).toEqual([
      expect.stringMatching(/^navette_key_/),
      expect.stringMatching(/^navette_test_/),
    ]);
    expect(twin.clientId).toMatch(/^nvc_test_/);
    const { body } = await server.call(twin, 'GET', '/account');
    expect(body.account).toMatchObject({ _id: twin.id, clientId: twin.clientId, contractSigned: true, balance: 1000 });
    expect(body.account.timeSlots.map(({ label }: { label: string }) => label)).toEqual(['Matin (9h-12h)', '14h-16h']);
    const crossed = await server.call({ ...live, clientId: twin.clientId }, 'GET', '/account');
    expect(crossed).toEqual(refusedAs('INVALID_CLIENT_ID'));
  });

  test('an idempotency key used in test mode is free in live mode, and replays in its own mode', async () => {
    const headers = { 'x-idempotency-key': 'order-2041' };
    const create = (account: TestAccount) =>
      server.call(account, 'POST', '/shipping', { body: shipmentRequest(), headers });
    const [tested, real] = [await create(twin), await create(live)];
    expect([tested.status, real.status]).toEqual([201, 201]);
    expect(tested.body.shipping._id).not.toBe(real.body.shipping._id);
    expect(tested.body.shipping.metadata ?? { idempotencyKey: 'order-2041' }).toMatchObject({
      idempotencyKey: 'order-2041',
    });
    expect((await create(twin)).body.shipping._id).toBe(tested.body.shipping._id);
    expect((await create(live)).body.shipping._id).toBe(real.body.shipping._id);
  });
});

test('messages of a twin are recorded and shown, and the database refuses to send one', async () => {
  const { _id: id } = await ship(server, twin);
  await withWorker(server, () => workDone(server));
  const messages = await messagesOf(id);
  expect(messages.map(({ kind, status, attempts }) => ({ kind, status, attempts }))).toEqual([
    { kind: 'recipient-email', status: 'recorded', attempts: 0 },
    { kind: 'recipient-sms', status: 'recorded', attempts: 0 },
  ]);
  for (const status of ['pending', 'sending', 'sent']) {
    const bypass = server.db.updateTable('messages').set({ status }).where('shipment_id', '=', id).execute();
    await expect(bypass).rejects.toThrow('never sent');
  }
  const tester = await switchMode(server, developer, 'test');
  const { body } = await tester.call('readShipment', { params: { id } });
  expect(body.messages).toContainEqual(
    expect.objectContaining({ kind: 'recipient-sms', status: 'recorded', text: expect.stringContaining('/t/') }),
  );
  developer = await switchMode(server, tester, 'live');
});

describe('drivers', () => {
  test('a real driver at the pickup gets no offer of a twin, and the database refuses one', async () => {
    const driver = await createTestDriver(server.db);
    await overHttp(server.url, driver)('setAvailability', { available: true });
    await standAt(server, driver, 0);
    const { _id: tested } = await ship(server, twin);
    const { _id: real } = await ship(server, live);
    await withWorker(server, () => workDone(server));
    expect(await openOffers(server, real)).toEqual([driver.id]);
    const asked = await openOffers(server, tested);
    expect(asked).toHaveLength(1); // a robot
    expect(asked).not.toContain(driver.id);
    const forced = server.db
      .updateTable('shipments')
      .set({ driver_id: driver.id })
      .where('account_id', '=', twin.id)
      .where('id', '=', tested)
      .execute();
    await expect(forced).rejects.toThrow('takes no runs of account');
  });
});

test('the operator’s inbox, search, lists and metrics contain nothing of a twin', async () => {
  const staff = await createTestStaff(server);
  const deliveryAddress = { ...shipmentRequest().deliveryAddress, recipientName: 'Twinonly', street: 'nowhere' };
  const { coordinates: _, ...unlocated } = deliveryAddress;
  const { _id: id, referenceNumber } = await ship(server, twin, { deliveryAddress: unlocated });
  await withWorker(server, () => workDone(server));
  await sql`update shipments set needs_location = true, wrong_delivery_codes = 5, estimated_delivery_at = now() - interval '2 days'
    where account_id = ${twin.id}`.execute(server.db);
  await sql`update driver_searches set spent_at = now() where account_id = ${twin.id} and ended_at is null`.execute(
    server.db,
  );
  const inbox = await staff.call('listInbox');
  expect(inbox.status).toBe(200);
  expect(JSON.stringify(inbox.body)).not.toContain(twin.id);
  expect(JSON.stringify(inbox.body)).not.toContain(referenceNumber);
  for (const text of ['Twinonly', referenceNumber, twin.clientId, twin.key, twin.key.slice(-4)]) {
    const { body } = await staff.call('searchConsole', { body: { text } });
    expect(body.results.filter((result: { id: string }) => [id, twin.id].includes(result.id))).toEqual([]);
  }
  expect((await staff.call('readMerchantPage', { params: { id: twin.id } })).status).toBe(404);
  expect((await staff.call('readShipmentPage', { params: { id } })).status).toBe(404);
  const { rows } = await sql<{ active: number }>`
    select count(*) as active from driver_searches q join accounts a on a.id = q.account_id
    where q.ended_at is null and a.live_account_id is null`.execute(server.db);
  const metrics = await server.metrics();
  const counted = [...metrics.matchAll(/navette_driver_searches\{state="\w+"\} (\d+)/g)].map(([, n]) => Number(n));
  expect(counted.reduce((sum, n) => sum + n, 0)).toBe(rows[0]?.active);
});

describe('the dashboard’s switch', () => {
  test('shows the twin, and a page of the other mode can change nothing', async () => {
    const tester = await switchMode(server, developer, 'test');
    expect((await tester.call('readSession')).body).toMatchObject({
      mode: 'test',
      account: { id: twin.id, clientId: twin.clientId },
    });
    // A second tab has the same cookie, and the CSRF token of live mode.
    const stale = { ...tester, csrfToken: developer.csrfToken };
    const { status } = await tester.call('createKey', {
      body: { name: 'stale', scopes: ['read'] },
      headers: { 'x-csrf-token': stale.csrfToken },
    });
    expect(status).toBe(403);
    const created = await tester.call('createKey', { body: { name: 'x', scopes: ['read'] } });
    expect(created.body.secret ?? created.body.key).toBeDefined();
    expect(JSON.stringify(created.body)).toContain('navette_test_');
    const keys = (await tester.call('listKeys')).body.keys as { name: string }[];
    developer = await switchMode(server, tester, 'live');
    const liveKeys = (await developer.call('listKeys')).body.keys as { name: string }[];
    expect(keys.map(({ name }) => name)).toContain('x');
    expect(liveKeys.map(({ name }) => name)).not.toContain('x');
  });

  test('the first switch creates the twin, for roles that manage keys', async () => {
    const other = await server.createAccount();
    const [reader, owner] = [
      await createTestMember(server, other.id, 'read-only'),
      await createTestMember(server, other.id, 'owner'),
    ];
    expect((await reader.call('switchMode', { body: { mode: 'test' } })).status).toBe(403);
    await switchMode(server, owner, 'test');
    expect((await reader.call('switchMode', { body: { mode: 'test' } })).status).toBe(200);
  });

  test('a session cannot show the twin of another account', async () => {
    const other = await createTwin(server, await server.createAccount());
    const forged = sql`update member_sessions set test_account_id = ${other.id} where member_id = ${developer.id}`;
    await expect(forged.execute(server.db)).rejects.toThrow('member_sessions_twin');
  });
});

test('an idle twin is emptied, its keys stay, and the live account keeps everything', async () => {
  const count = (accountId: string) =>
    server.db
      .selectFrom('shipments')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
  const log = server.app.log;
  const before = await count(live.id);
  expect(await emptyIdleTwins(server.db, log, new Date())).toBe(0);
  expect((await count(twin.id)).n).toBeGreaterThan(0);
  expect(await emptyIdleTwins(server.db, log, new Date(Date.now() + 31 * 86_400_000))).toBe(1);
  expect((await count(twin.id)).n).toBe(0);
  expect(await count(live.id)).toEqual(before);
  const { body } = await server.call(twin, 'GET', '/account');
  expect(body.account.balance).toBe(1000);
  await expect(sql`delete from ledger_entries where account_id = ${live.id}`.execute(server.db)).rejects.toThrow(
    'append-only',
  );
  await ship(server, twin);
  await withWorker(server, () => workDone(server));
  expect(await brokenInvariants(server)).toEqual([]);
});
