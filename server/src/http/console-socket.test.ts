import type { MapBox, MovingDrivers } from '@navette/contract';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../test/console.ts';
import { type OpenMap, openMap } from '../../test/console-map.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../test/driver-app.ts';
import { eventually } from '../../test/eventually.ts';
import { startPrivateRedis } from '../../test/private-redis.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { EARTH } from '../geography/area.ts';
import { createRedis } from '../redis/create-redis.ts';

const PARIS: MapBox = { west: 2.2, south: 48.8, east: 2.5, north: 48.95 };
const LYON: MapBox = { west: 4.7, south: 45.6, east: 5, north: 45.9 };
const IN_PARIS = { latitude: 48.86, longitude: 2.35 };
const IN_LYON = { latitude: 45.76, longitude: 4.84 };

let server: TestServer;
let zoe: TestStaff;
const maps: OpenMap[] = [];
beforeAll(async () => {
  server = await startTestServer();
  zoe = await createTestStaff(server, 'dispatcher');
});
afterEach(() => {
  for (const map of maps.splice(0)) map.close();
});
afterAll(() => server.stop());

async function open(staff: { cookie: string }, area?: MapBox, headers: Record<string, string> = {}): Promise<OpenMap> {
  const map = await openMap(server.url, { cookie: staff.cookie, ...headers }, area);
  maps.push(map);
  return map;
}
const move = async (driver: TestDriver, place: { latitude: number; longitude: number }) =>
  expect((await overHttp(server.url, driver)('sendPosition', place)).body.kept).toBe(true);
const idsIn = (moved: MovingDrivers | undefined) => moved?.drivers.map(([id]) => id).toSorted() ?? null;
const latest = ({ received }: OpenMap) => received.at(-1)?.moved;

describe('a map that is opened', () => {
  test.each([
    ['without a session', async () => ({})],
    ['with an unknown session', async () => ({ cookie: '__Host-navette-console=nobody' })],
    ['with the session of a role that may not dispatch', async () => createTestStaff(server, 'accountant')],
    ['without a second factor', async () => createTestStaff(server, 'admin', { hasSecondFactor: false })],
    ['by a page of another origin', async () => ({ cookie: zoe.cookie, origin: 'https://evil.example' })],
    ['by a page of another site', async () => ({ cookie: zoe.cookie, 'sec-fetch-site': 'same-site' })],
  ])('%s is refused', async (_case, given) => {
    const { cookie, origin, 'sec-fetch-site': site } = (await given()) as Record<string, string>;
    const headers = {
      ...(cookie ? { cookie } : {}),
      ...(origin ? { origin } : {}),
      ...(site ? { 'sec-fetch-site': site } : {}),
    };
    await expect(openMap(server.url, headers)).rejects.toThrow('refused');
  });

  test('by the console’s own page is accepted', async () => {
    const map = await open(zoe, PARIS, { origin: server.url, 'sec-fetch-site': 'same-origin' });
    expect(map.socket.connected).toBe(true);
  });
});

describe('a map that is open', () => {
  const isClosed = (map: OpenMap) => eventually(() => expect(map.socket.connected).toBe(false));

  test('closes when its person signs out, and another person’s stays', async () => {
    const leaving = await createTestStaff(server, 'dispatcher');
    const [map, other] = [await open(leaving, PARIS), await open(zoe, PARIS)];
    expect((await leaving.call('signOut')).status).toBe(200);
    await isClosed(map);
    expect(other.socket.connected).toBe(true);
  });

  test.each([
    ['is removed', (id: string) => server.db.deleteFrom('staff').where('id', '=', id).execute()],
    [
      'gets a role without the permission',
      (id: string) => server.db.updateTable('staff').set({ role: 'accountant' }).where('id', '=', id).execute(),
    ],
    [
      'has a session that expires',
      (id: string) =>
        server.db
          .updateTable('staff_sessions')
          .set({ expires_at: new Date(0) })
          .where('staff_id', '=', id)
          .execute(),
    ],
  ])('closes when its person %s', async (_case, change) => {
    const staff = await createTestStaff(server, 'dispatcher');
    const map = await open(staff, PARIS);
    await change(staff.id);
    await eventually(() => expect(map.socket.connected).toBe(false));
  });

  test('shows the drivers of its own area only, those who are unavailable too', async () => {
    const [near, away] = [await createTestDriver(server.db), await createTestDriver(server.db)];
    const resting = await createTestDriver(server.db, { available: false });
    await Promise.all([move(near, IN_PARIS), move(resting, IN_PARIS), move(away, IN_LYON)]);
    const [paris, lyon, earth] = [await open(zoe, PARIS), await open(zoe, LYON), await open(zoe, EARTH)];
    await eventually(() => {
      expect(idsIn(latest(paris))).toEqual([near.id, resting.id].toSorted());
      expect(idsIn(latest(lyon))).toEqual([away.id]);
      expect(idsIn(latest(earth))).toEqual([near.id, resting.id, away.id].toSorted());
    });
    expect(latest(paris)?.drivers.find(([id]) => id === resting.id)?.[4]).toBe(0);
    paris.show(LYON);
    await eventually(() => expect(idsIn(latest(paris))).toEqual([away.id]));
  });

  test.each([null, 'Paris', { ...PARIS, west: 3 }, { ...PARIS, north: 91 }, { west: 'a' }])(
    'with the area %j receives nothing',
    async (area) => {
      const [map, other] = [await open(zoe), await open(zoe, EARTH)];
      map.show(area);
      await eventually(() => expect(other.received.length).toBeGreaterThan(1));
      expect(map.received).toEqual([]);
    },
  );

  test('receives positions at most once a second, however often it is moved', async () => {
    const map = await open(zoe, EARTH);
    const moving = setInterval(() => map.show({ ...EARTH, west: -180 + Math.random() }), 20);
    await eventually(() => expect(map.received.length).toBeGreaterThanOrEqual(5));
    clearInterval(moving);
    const [first, last] = [map.received[0], map.received.at(-1)];
    const seconds = ((last?.at ?? 0) - (first?.at ?? 0)) / 1_000;
    expect(map.received.length - 1).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  });

  test('closes when its person opens an eleventh', async () => {
    const busy = await createTestStaff(server, 'dispatcher');
    const opened: OpenMap[] = [];
    for (let i = 0; i < 11; i++) opened.push(await open(busy, PARIS));
    await isClosed(opened[0] as OpenMap);
    expect(opened.slice(1).every(({ socket }) => socket.connected)).toBe(true);
  });
});

describe('fifty maps', () => {
  test('cost Redis as many reads as one', async () => {
    const own = await startPrivateRedis();
    const redis = createRedis({ ...server.config, redisUrl: own.url }, server.app.log);
    const counted = await startTestServer({ REDIS_URL: own.url });
    try {
      const people = await Promise.all(Array.from({ length: 50 }, () => createTestStaff(counted, 'dispatcher')));
      const opened: OpenMap[] = [];
      const readsOfASecond = async () => {
        const before = await callsOf(redis);
        const from = performance.now();
        const seen = opened[0]?.received.length ?? 0;
        await eventually(() => expect(opened[0]?.received.length).toBeGreaterThanOrEqual(seen + 5));
        return ((await callsOf(redis)) - before) / ((performance.now() - from) / 1_000);
      };
      const openFor = async (staff: TestStaff) =>
        opened.push(await openMap(counted.url, { cookie: staff.cookie }, EARTH));
      await openFor(people[0] as TestStaff);
      const alone = await readsOfASecond();
      for (const staff of people.slice(1)) await openFor(staff);
      const together = await readsOfASecond();
      expect(alone).toBeGreaterThan(0.5);
      expect(together).toBeLessThanOrEqual(1.5);
      for (const map of opened) map.close();
    } finally {
      await counted.stop();
      redis.disconnect();
      await own.stop();
    }
  });
});

/** How often the map was searched, from Redis' own statistics. */
async function callsOf(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats');
  return Number(/cmdstat_geosearch:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}
