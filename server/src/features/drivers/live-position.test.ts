import { randomUUIDv7 } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { EARTH } from '../../geography/area.ts';
import { isNextStop } from './active-runs.ts';
import { createLivePositions } from './live-positions.ts';
import { createMemoryPositions } from './memory-positions.ts';
import type { DriverPositions } from './positions.ts';
import { createRedisPositions } from './redis-positions.ts';

const HERE = { latitude: 43.3, longitude: 5.4, at: new Date() };

let server: TestServer;
let shop: TestAccount;
let redis: Redis;
let positions: DriverPositions;
let driver: TestDriver;
beforeAll(async () => {
  server = await startTestServer();
  redis = new Redis(server.config.redisUrl);
  positions = createRedisPositions(redis, server.config.redisPrefix);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  driver = await createTestDriver(server.db, { available: false });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

test('the last position of a driver is kept for two minutes, also for an unavailable driver', async () => {
  const position = () => positions.find(driver.id);
  expect(await position()).toBe(null);
  await overHttp(server.url, driver)('sendPosition', { latitude: 48.85, longitude: 2.35 });
  expect(await position()).toEqual({ latitude: 48.85, longitude: 2.35, at: expect.any(Date) });
  const lifetime = await redis.ttl(`${server.config.redisPrefix}drivers:position:${driver.id}`);
  expect(lifetime).toBeGreaterThan(100);
  expect(lifetime).toBeLessThanOrEqual(120);
});

test('the next stop is the shipment with the earliest departure, and only its recipient sees the driver', async () => {
  const { positionFor } = createLivePositions(server.db, positions);
  await positions.save({ driverId: driver.id, available: false, isRobot: false }, HERE);
  const seen = async (id = '') => (await positionFor(driver.id, id)) !== null;
  const ids: string[] = [];
  for (const minute of [0, 1]) {
    const { _id } = await ship(server, shop);
    const now = new Date(Date.now() + minute * 60_000);
    await moveShipment(server, shop, _id, 'assign', { driverId: driver.id });
    await moveShipment(server, shop, _id, 'pick_up');
    await moveShipment(server, shop, _id, 'depart', { now });
    ids.push(_id);
  }
  const next = (id = '') => isNextStop(server.db, driver.id, id);
  expect([await next(ids[0]), await next(ids[1]), await next(randomUUIDv7())]).toEqual([true, false, false]);
  expect([await seen(ids[0]), await seen(ids[1]), await seen(randomUUIDv7())]).toEqual([true, false, false]);
  await moveShipment(server, shop, ids[0] ?? '', 'deliver');
  expect([await next(ids[0]), await next(ids[1])]).toEqual([false, true]);
  expect([await seen(ids[0]), await seen(ids[1])]).toEqual([false, true]);
});

test('drivers whose position has ended count towards the limit of those read, so that the list is not taken for complete', async () => {
  const store = createRedisPositions(redis, `${server.config.redisPrefix}stale:`);
  const ids = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  for (const driverId of ids) await store.save({ driverId, available: true, isRobot: false }, HERE);
  await redis.del(`${server.config.redisPrefix}stale:drivers:position:${ids[0]}`);
  const reads = [await store.seen(EARTH, 3), await store.seen(EARTH, 3)];
  expect(reads.map(({ drivers, isComplete }) => [drivers.length, isComplete])).toEqual([
    [2, false],
    [2, true],
  ]);
});

describe.each<[string, () => DriverPositions]>([
  ['Redis', () => positions],
  ['memory', createMemoryPositions],
])('positions in %s', (_where, open) => {
  const AROUND = { west: 5, south: 43, east: 6, north: 44 };
  const at = (latitude: number) => ({ ...HERE, latitude });
  let store: DriverPositions;
  beforeAll(() => {
    store = open();
  });

  test('an unavailable driver is taken off the map with the next ping, even if that failed before', async () => {
    const ping = (available: boolean) => store.save({ driverId: driver.id, available, isRobot: false }, HERE);
    const near = async () => (await store.nearest(HERE, 1, 10)).drivers;
    await ping(true);
    expect(await near()).toEqual([{ driverId: driver.id, metres: 0 }]);
    await ping(false);
    expect(await near()).toEqual([]);
    await ping(true);
    await store.removeFromMap(driver.id);
    expect(await near()).toEqual([]);
    expect(await store.find(driver.id)).toEqual(HERE);
  });

  test('searches find the nearest available drivers within the radius; the operator also sees the others, nobody robots', async () => {
    const ids = Array.from({ length: 5 }, () => randomUUIDv7());
    const [near, far, away, robot, antipode] = ids as [string, string, string, string, string];
    await store.save(
      { driverId: antipode, available: true, isRobot: false },
      { ...HERE, latitude: -43, longitude: -175 },
    );
    await store.save({ driverId: far, available: true, isRobot: false }, at(43.32));
    await store.save({ driverId: near, available: true, isRobot: false }, at(43.31));
    await store.save({ driverId: away, available: false, isRobot: false }, at(43.305));
    await store.save({ driverId: robot, available: true, isRobot: true }, HERE);
    const metresTo = async (km: number, most: number) => {
      const { drivers, completeToMetres } = await store.nearest(HERE, km, most);
      return { ids: drivers.map(({ driverId }) => driverId), completeToMetres };
    };
    expect(await metresTo(5, 10)).toEqual({ ids: [near, far], completeToMetres: Infinity });
    expect((await metresTo(1.5, 10)).ids).toEqual([near]);
    const [nearest] = (await store.nearest(HERE, 5, 1)).drivers;
    expect(nearest?.driverId).toBe(near);
    expect(nearest?.metres).toBeGreaterThan(1_050);
    expect(nearest?.metres).toBeLessThan(1_150);
    expect((await metresTo(5, 1)).completeToMetres).toBe(nearest?.metres);
    expect((await store.nearest({ latitude: 89, longitude: 0 }, 5, 1)).drivers).toEqual([]);

    const seen = new Map((await store.seen(AROUND, 100)).drivers.map((one) => [one.driverId, one]));
    expect(seen.get(away)).toEqual({ driverId: away, available: false, ...at(43.305) });
    expect([seen.has(near), seen.has(far), seen.has(robot)]).toEqual([true, true, false]);
    expect(await store.seen({ ...AROUND, west: 6, east: 7 }, 100)).toEqual({ drivers: [], isComplete: true });
    expect(await store.seen(AROUND, 1)).toMatchObject({ drivers: [{}], isComplete: false });
    const { drivers: everywhere, isComplete } = await store.seen(EARTH, 100);
    expect(isComplete).toBe(true);
    expect(everywhere.map(({ driverId }) => driverId)).toEqual(expect.arrayContaining([near, far, away, antipode]));
    expect([...(await store.findAll([robot, randomUUIDv7()])).keys()]).toEqual([robot]);
  });
});
