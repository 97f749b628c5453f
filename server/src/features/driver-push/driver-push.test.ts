import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ship, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { everyRow } from '../../../test/every-row.ts';
import { type FakePushService, startFakePushService } from '../../../test/fake-push-service.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { makeDue } from '../../../test/orphaned-jobs.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { newVapidPrivateKey, readVapidKey } from '../../adapters/push/vapid.ts';
import { sendPushJob } from '../../jobs/definitions.ts';
import { assignAnyShipment, unassignAnyShipment } from '../dispatch/index.ts';
import { disableDriver, endSessions } from '../drivers/index.ts';
import { purgeDriverSessions } from '../drivers/purge-driver-sessions.handler.ts';

const VAPID_PRIVATE_KEY = newVapidPrivateKey();
const { publicKey } = readVapidKey(VAPID_PRIVATE_KEY);
const WAIT = { timeout: 240_000, interval: 50 };

let service: FakePushService;
let server: TestServer;
let worker: TestWorker;
let shop: TestAccount;
let driver: TestDriver;
beforeAll(async () => {
  service = await startFakePushService();
  server = await startTestServer({
    VAPID_PRIVATE_KEY,
    VAPID_SUBJECT: 'mailto:ops@example.org',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    DISPATCH_OFFER_SECONDS: '600',
  });
  shop = await server.createAccount({ paymentMode: 'deferred' });
  worker = await startTestWorker(server);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await service.stop();
});
beforeEach(async () => {
  driver = await createTestDriver(server.db);
  service.received.length = 0;
});
afterEach(async () => {
  service.answerWith();
  await server.db.updateTable('drivers').set({ available: false }).where('id', '=', driver.id).execute();
  if (service.faults.length > 0) throw new Error(service.faults.join());
});

const save = (who: TestDriver, subscription: object) =>
  overHttp(server.url, who)('savePushSubscription', { ...subscription });
async function subscribe(who = driver) {
  const subscription = service.subscribe();
  expect(await save(who, subscription)).toEqual({ status: 200, body: { success: true } });
  return subscription.name;
}
async function assign(who = driver): Promise<{ id: string; referenceNumber: string }> {
  const { _id: id, referenceNumber } = await ship(server, shop);
  await assignAnyShipment({ ...server, now: new Date() }, referenceNumber, who.id);
  await workDone(server);
  return { id, referenceNumber };
}
const subscriptions = () => server.db.selectFrom('driver_push_subscriptions').selectAll().execute();

describe('a device that subscribed', () => {
  test('gets an offer with its remaining time, encrypted for it and signed for its push service, and then its end', async () => {
    expect((await overHttp(server.url, driver)('readSession')).body.pushKey).toBe(publicKey);
    const device = await subscribe();
    await standAt(server, driver, 0.5);
    const { _id: id, referenceNumber } = await ship(server, shop);
    await vi.waitFor(() => expect(service.received).toHaveLength(1), WAIT);
    const [push] = service.received;
    expect(push).toMatchObject({ device, key: publicKey });
    expect(push?.message).toEqual({
      type: 'offer',
      shippingId: id,
      referenceNumber,
      title: 'Nouvelle course',
      body: `La course ${referenceNumber} vous est proposée : répondez dans l’application.`,
    });
    expect(push?.headers).toMatchObject({ urgency: 'high', 'content-encoding': 'aes128gcm' });
    expect(Number(push?.headers.ttl)).toBeGreaterThan(500);
    expect(Number(push?.headers.ttl)).toBeLessThanOrEqual(600);
    expect(push?.headers.topic).toMatch(/^[\w-]{1,32}$/);
    expect(push?.claims).toMatchObject({ aud: service.origin, sub: 'mailto:ops@example.org' });
    const hours = ((push?.claims.exp ?? 0) - Date.now() / 1_000) / 3_600;
    expect(hours).toBeGreaterThan(11);
    expect(hours).toBeLessThan(24);

    const other = await createTestDriver(server.db);
    await assignAnyShipment({ ...server, now: new Date() }, referenceNumber, other.id);
    await vi.waitFor(() => expect(service.received).toHaveLength(2), WAIT);
    expect(service.received[1]?.message).toMatchObject({ type: 'withdrawn', shippingId: id });
    expect(service.received[1]?.headers.topic).toBe(push?.headers.topic);
  });

  test('gets changes of its runs, in words that name no person', async () => {
    await subscribe();
    const { id, referenceNumber } = await assign();
    await unassignAnyShipment({ ...server, now: new Date() }, referenceNumber);
    await vi.waitFor(() => expect(service.received).toHaveLength(2), WAIT);
    expect(service.received.map(({ message }) => [message.type, message.title, message.shippingId])).toEqual([
      ['changed', 'Course attribuée', id],
      ['changed', 'Course retirée', id],
    ]);
    expect(JSON.stringify(service.received.map(({ message }) => message))).not.toMatch(/Camille|Opéra|\+33/);
  });

  test('that lost its subscription (404 or 410) is removed, and sent nothing more', async () => {
    for (const status of [404, 410]) {
      await subscribe();
      service.answerWith(status);
      await assign();
      expect((await subscriptions()).filter(({ driver_id }) => driver_id === driver.id)).toEqual([]);
    }
    const before = service.attempts();
    await assign();
    expect(service.attempts()).toBe(before);
    expect(await worker.metrics()).toContain('navette_push_attempts_total{push="shipment-changed",outcome="gone"} 2');
  });

  test('gets the message after its push service failed, once', async () => {
    await subscribe();
    service.answerWith(503, 429);
    const { _id: id, referenceNumber } = await ship(server, shop);
    await assignAnyShipment({ ...server, now: new Date() }, referenceNumber, driver.id);
    await vi.waitFor(
      async () => {
        await makeDue(server, sendPushJob);
        expect(service.received.map(({ message }) => message.shippingId)).toEqual([id]);
      },
      { ...WAIT, interval: 200 },
    );
    await workDone(server);
    expect(service.received).toHaveLength(1);
    expect(worker.logged()).not.toContain(service.origin);
  });

  test('whose message is refused is counted and logged, and not tried again', async () => {
    await subscribe();
    const before = service.attempts();
    service.answerWith(403);
    await assign();
    expect(service.attempts()).toBe(before + 1);
    expect(await worker.metrics()).toMatch(
      /navette_push_attempts_total\{push="shipment-changed",outcome="refused"\} 1/,
    );
    expect(await subscriptions()).not.toEqual([]);
  });
});

describe('a subscription', () => {
  test('belongs to a session: it is replaced, removed on request, and ends with the session or the driver', async () => {
    const mine = async () => (await subscriptions()).filter(({ driver_id }) => driver_id === driver.id);
    await subscribe();
    await subscribe();
    expect(await mine()).toHaveLength(1);
    expect((await overHttp(server.url, driver)('removePushSubscription')).status).toBe(200);
    expect(await mine()).toEqual([]);

    await subscribe();
    await endSessions(server.db, driver.id, 'all', new Date());
    const before = service.attempts();
    await assign();
    expect(service.attempts()).toBe(before);
    await purgeDriverSessions(server.db, new Date());
    expect(await mine()).toEqual([]);

    const other = await createTestDriver(server.db);
    await subscribe(other);
    await disableDriver(server.db, other.id);
    await assign(other);
    expect(service.attempts()).toBe(before);
  });

  test('of a phone that two drivers use in turn belongs to the last one', async () => {
    const [next, subscription] = [await createTestDriver(server.db), service.subscribe()];
    await save(driver, subscription);
    await save(next, subscription);
    await assign(driver);
    expect(service.received).toEqual([]);
    await assign(next);
    expect(service.received).toHaveLength(1);
  });

  test('with another address than a public https one, or malformed keys, is refused', async () => {
    const closed = await startTestServer({ VAPID_PRIVATE_KEY });
    const guarded = await createTestDriver(closed.db);
    const { keys } = service.subscribe();
    const refused = { status: 400, body: { error: 'PUSH_REFUSED' } };
    for (const endpoint of [
      ...['http://push.example.org/x', 'https://127.0.0.1/x', 'https://[::1]/x', 'https://169.254.169.254/x'],
      ...['https://10.0.0.1/x', 'https://localhost/x', 'https://db.internal/x', 'https://user:pass@push.example.org/x'],
      ...['ftp://push.example.org/x', 'javascript:alert(1)', 'nonsense', 'https://push.example.org:22/x'],
    ]) {
      const { status, body } = await overHttp(closed.url, guarded)('savePushSubscription', { endpoint, keys });
      expect([endpoint, status, body.error]).toEqual([endpoint, refused.status, refused.body.error]);
    }
    const endpoint = 'https://push.example.org/x';
    const send = overHttp(closed.url, guarded);
    expect(await send('savePushSubscription', { endpoint, keys: { ...keys, p256dh: 'B'.repeat(87) } })).toMatchObject(
      refused,
    );
    expect(await send('savePushSubscription', { endpoint, keys: { ...keys, auth: 'x' } })).toMatchObject({
      status: 400,
    });
    expect(await send('savePushSubscription', { endpoint, keys })).toMatchObject({ status: 200 });
    await closed.stop();
  });

  test('that points to an inner address is stopped at the connection', async () => {
    await subscribe();
    await sql`update driver_push_subscriptions set endpoint = 'http://10.255.255.1:8080/x' where driver_id = ${driver.id}`.execute(
      server.db,
    );
    const { referenceNumber } = await ship(server, shop);
    await assignAnyShipment({ ...server, now: new Date() }, referenceNumber, driver.id);
    await vi.waitFor(() => expect(worker.logged()).toContain('push message postponed: NO_PUBLIC_ADDRESS'), WAIT);
    await overHttp(server.url, driver)('removePushSubscription');
    // The retry finds no subscription. Without this, it would wait for its backoff while the next test runs.
    await vi.waitFor(async () => {
      await makeDue(server, sendPushJob);
      expect(await waitingPushes()).toBe(0);
    }, WAIT);
  });

  test('is refused where push is off, and `pushKey` is null', async () => {
    const off = await startTestServer();
    const send = overHttp(off.url, await createTestDriver(off.db));
    expect((await send('readSession')).body.pushKey).toBeNull();
    expect(await send('savePushSubscription', { ...service.subscribe() })).toMatchObject({ status: 400 });
    await off.stop();
  });
});

test('the private key is in no table and no log, and `navette driver push-key` makes another', async () => {
  await subscribe();
  await assign();
  expect(`${await everyRow(server.db)}${server.logged()}${worker.logged()}`).not.toContain(VAPID_PRIVATE_KEY);
  const { stdout } = await runNavette(['driver', 'push-key', '--json'], {});
  const made = JSON.parse(stdout);
  expect(readVapidKey(made.VAPID_PRIVATE_KEY).publicKey).toBe(made.publicKey);
  expect(Buffer.from(made.publicKey, 'base64url')).toHaveLength(65);
});

async function waitingPushes(): Promise<number> {
  const { rows } = await sql<{ jobs: number }>`
    select count(*) as jobs from pgboss.job where name = ${sendPushJob.name} and state < 'completed'`.execute(
    server.db,
  );
  return rows[0]?.jobs ?? 0;
}
