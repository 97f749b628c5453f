import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { factsOf, northOfPickup, openOffers, ship, shipMany } from '../../../test/dispatched.ts';
import { connectApp, createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { type PrivateRedis, startPrivateRedis } from '../../../test/private-redis.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';

const WAIT = { timeout: 240_000, interval: 100 };
/** Another worker takes over the jobs of a dead one within half a minute; on a busy machine it takes longer. */
const LONG_WAIT = { timeout: 300_000, interval: 200 };

describe('Redis', () => {
  let redis: PrivateRedis;
  let server: TestServer;
  let worker: TestWorker;
  let shop: TestAccount;
  let driver: TestDriver;
  let later = 0;
  beforeAll(async () => {
    redis = await startPrivateRedis();
    server = await startTestServer({
      REDIS_URL: redis.url,
      DISPATCH_RETRY_SECONDS: '1',
      DISPATCH_OFFER_SECONDS: '600',
    });
    shop = await server.createAccount({ paymentMode: 'deferred' });
    driver = await createTestDriver(server.db);
    worker = await startTestWorker(server);
  });
  afterEach(() => server.setNow(null));
  afterAll(async () => {
    await worker.stop();
    await server.stop();
    await redis.stop();
  });

  /** Each call is a second later than the one before, so that the position is kept. */
  const ping = async () => {
    server.setNow(new Date(Date.now() + ++later * 1_100));
    return (await overHttp(server.url, driver)('sendPosition', northOfPickup(0.5))).body;
  };
  const offeredTo = (id: string, ids: string[]) =>
    vi.waitFor(async () => expect(await openOffers(server, id)).toEqual(ids), WAIT);

  test('flushed: positions return with the next pings, and no search is lost', async () => {
    await vi.waitFor(async () => expect(await ping()).toEqual({ success: true, kept: true }), WAIT);
    const before = await ship(server, shop);
    await offeredTo(before._id, [driver.id]);
    await redis.empty();

    const during = await ship(server, shop); // no driver is on the map
    await vi.waitFor(
      async () =>
        expect(
          await server.db.selectFrom('driver_searches').select('state').where('shipment_id', '=', during._id).execute(),
        ).toEqual([{ state: 'unassigned' }]),
      WAIT,
    );
    expect(await openOffers(server, before._id)).toEqual([driver.id]); // offers are not in Redis
    await ping();
    await offeredTo(during._id, [driver.id]);
    for (const { _id } of [before, during])
      expect(await overHttp(server.url, driver)('acceptOffer', { id: _id })).toMatchObject({ status: 200 });
  });

  test('unreachable: commands work over both channels, searches wait, and the socket reconnects', async () => {
    const app = await connectApp(server.url, driver);
    const offered = await ship(server, shop);
    await ping();
    await offeredTo(offered._id, [driver.id]);
    await redis.stop();

    const send = overHttp(server.url, driver);
    expect(await ping()).toEqual({ success: true, kept: false });
    expect(await send('acceptOffer', { id: offered._id })).toMatchObject({ status: 200 });
    expect(await send('pickUp', { id: offered._id })).toMatchObject({ status: 200 });
    expect(await app.send('depart', { id: offered._id })).toMatchObject({ status: 200 }); // commands need no Redis
    const { code: deliveryCode } = await factsOf(server, offered._id);
    expect(await send('deliver', { id: offered._id, deliveryCode })).toMatchObject({ status: 200 });
    expect(await send('setAvailability', { available: true })).toMatchObject({ status: 200 });

    const waiting = await ship(server, shop);
    await vi.waitFor(
      async () =>
        expect(
          await server.db
            .selectFrom('dispatch_decisions')
            .select('kind')
            .where('shipment_id', '=', waiting._id)
            .orderBy('number')
            .execute(),
        ).toEqual([{ kind: 'started' }, { kind: 'positions unknown' }]),
      WAIT,
    );
    app.socket.io.engine.close();
    await vi.waitFor(async () => expect(app.socket.connected).toBe(true), WAIT); // it connects without Redis

    await redis.start();
    await vi.waitFor(async () => expect(await ping()).toEqual({ success: true, kept: true }), WAIT);
    await offeredTo(waiting._id, [driver.id]);
    await vi.waitFor(() => expect(app.received.map(({ payload }) => payload.shippingId)).toContain(waiting._id), WAIT);
    app.close();
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('kill -9', () => {
  let server: TestServer;
  const running = new Set<NavetteProcess>();
  beforeAll(async () => {
    server = await startTestServer({
      DISPATCH_OFFER_SECONDS: '2',
      DISPATCH_RETRY_SECONDS: '1',
      DISPATCH_RUNS_PER_DRIVER: '1000',
      DRIVER_REQUESTS_PER_MINUTE: '100000',
    });
  });
  afterAll(async () => {
    for (const { process } of running) process.kill('SIGKILL');
    await server.stop();
  });

  const start = async (role: 'api' | 'worker') => {
    const child = await startNavette([role], server.environment);
    running.add(child);
    return child;
  };
  const kill = async (child: NavetteProcess) => {
    running.delete(child);
    await child.kill();
  };

  test('of workers and api processes during searches: every shipment still gets a driver', async () => {
    const SHIPMENTS = 90;
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const drivers = [];
    for (let i = 0; i < 4; i++) drivers.push(await createTestDriver(server.db, { autoAccept: i === 3 }));
    let apis: NavetteProcess[] = await Promise.all([start('api'), start('api')]);
    let workers: NavetteProcess[] = await Promise.all([start('worker'), start('worker')]);
    const url = (i: number) => apis[i % apis.length]?.url ?? '';

    /** Apps that poll for offers, accept most, refuse some, and switch to the other process when theirs is dead. */
    let done = false;
    const app = async (driver: TestDriver, i: number) => {
      for (let turn = 0; !done; turn++) {
        const send = overHttp(url(i + turn), driver);
        try {
          await send('sendPosition', northOfPickup(0.2 * (i + 1)));
          const { body } = await send('listOffers');
          for (const [n, { shipping }] of (body.offers ?? []).entries())
            await send((n + turn) % 5 === 4 ? 'refuseOffer' : 'acceptOffer', { id: shipping.id });
        } catch {
          // The process was killed: the next turn uses another one.
        }
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    };
    const apps = drivers.map(app);

    const ids: string[] = [];
    let leftAtKill = 0;
    for (let kills = 0; kills < 3; kills++) {
      ids.push(...(await shipMany(server, shop, SHIPMENTS / 3)));
      await vi.waitFor(async () => expect(await assignedAmong(ids)).toBeGreaterThan(kills * 20), LONG_WAIT);
      const [oldWorker, oldApi] = [workers[0], apis[0]];
      if (!oldWorker || !oldApi) throw new Error('no process to kill');
      leftAtKill += ids.length - (await assignedAmong(ids));
      await Promise.all([kill(oldWorker), kill(oldApi)]);
      [workers, apis] = [
        [...workers.slice(1), await start('worker')],
        [...apis.slice(1), await start('api')],
      ];
    }
    await vi.waitFor(async () => expect(await assignedAmong(ids)).toBe(SHIPMENTS), LONG_WAIT);
    done = true;
    await Promise.all(apps);
    expect(leftAtKill).toBeGreaterThan(0); // shipments were waiting at the time of a kill
    const histories = await Promise.all(ids.map(async (id) => (await factsOf(server, id)).history.join()));
    expect(new Set(histories)).toEqual(new Set(['created,assigned']));
    expect(await brokenInvariants(server)).toEqual([]);
  });

  const assignedAmong = async (ids: string[]) => {
    const { many } = await server.db
      .selectFrom('shipments')
      .select((eb) => eb.fn.countAll<number>().as('many'))
      .where('id', 'in', ids)
      .where('status', '=', 'assigned')
      .executeTakeFirstOrThrow();
    return many;
  };
});
