import { randomUUIDv7 } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { isNextStop } from './active-runs.ts';
import { createLivePositions } from './live-positions.ts';
import { livePosition, nearestDrivers, savePosition } from './positions.ts';

const HERE = { latitude: 43.3, longitude: 5.4, at: new Date() };

let server: TestServer;
let shop: TestAccount;
let redis: Redis;
let driver: TestDriver;
beforeAll(async () => {
  server = await startTestServer();
  redis = new Redis(server.config.redisUrl);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  driver = await createTestDriver(server.db, { available: false });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

test('the last position of a driver is kept for two minutes, also for an unavailable driver', async () => {
  const position = () => livePosition(redis, server.config.redisPrefix, driver.id);
  expect(await position()).toBe(null);
  await overHttp(server.url, driver)('sendPosition', { latitude: 48.85, longitude: 2.35 });
  expect(await position()).toEqual({ latitude: 48.85, longitude: 2.35, at: expect.any(Date) });
  const lifetime = await redis.ttl(`${server.config.redisPrefix}drivers:position:${driver.id}`);
  expect(lifetime).toBeGreaterThan(100);
  expect(lifetime).toBeLessThanOrEqual(120);
});

test('the next stop is the shipment with the earliest departure, and only its recipient sees the driver', async () => {
  const { positionFor } = createLivePositions(server.db, redis, server.config.redisPrefix);
  await savePosition(redis, server.config.redisPrefix, { driverId: driver.id, available: false }, HERE);
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

test('an unavailable driver is taken off the map with the next ping, even if that failed before', async () => {
  const ping = (available: boolean) =>
    savePosition(redis, server.config.redisPrefix, { driverId: driver.id, available }, HERE);
  const near = async () => (await nearestDrivers(redis, server.config.redisPrefix, HERE, 1, 10)).drivers;
  await ping(true);
  expect(await near()).toEqual([{ driverId: driver.id, metres: 0 }]);
  await ping(false);
  expect(await near()).toEqual([]);
});
