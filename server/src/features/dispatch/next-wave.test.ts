import { randomUUIDv7 } from 'node:crypto';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { northOfPickup, openOffers, ship } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { waitForLockWaits } from '../../../test/lock-waits.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { createTownCentres } from '../../adapters/geocoder/town-centres.ts';
import type { Tx } from '../../database/database.ts';
import { createRedisPositions } from '../drivers/redis-positions.ts';
import { createLocator } from '../geocoding/index.ts';
import { startNextWave } from './next-wave.ts';
import { searchDriver } from './search-driver.handler.ts';
import { startSearch } from './searches.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_RUNS_PER_DRIVER: '1' });
});
afterAll(() => server.stop());

const lock = (tx: Tx, driverId: string) =>
  sql`select from drivers where id = ${driverId} for no key update nowait`.execute(tx);

test('a search that skips a driver at capacity releases that lock before it waits for the next driver', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const [full, next] = [await createTestDriver(server.db), await createTestDriver(server.db)];
  const [running, waiting] = [await ship(server, shop), await ship(server, shop)];
  await server.db
    .updateTable('shipments')
    .set({ driver_id: full.id, status: 'assigned' })
    .where('account_id', '=', shop.id)
    .where('id', '=', running._id)
    .execute();
  const candidates = [full, next].map(({ id }, i) => ({ driverId: id, metres: i, autoAccept: true, obstacle: null }));

  const nearby = { candidates, completeToMetres: Number.POSITIVE_INFINITY };

  const searched = await server.db.transaction().execute(async (holder) => {
    await lock(holder, next.id);
    const searching = server.db.transaction().execute(async (tx) => {
      const search = await startSearch(tx, shop.id, waiting._id, 'it is express', new Date());
      await startNextWave(tx, { jobs: server.jobs, config: server.config }, search, nearby, new Date());
    });
    await waitForLockWaits(server.db, 1);
    await server.db.transaction().execute((tx) => lock(tx, full.id)); // fails if the lock is still held
    return { searching };
  });
  await searched.searching;
  const { driver_id } = await server.db
    .selectFrom('shipments')
    .select('driver_id')
    .where('account_id', '=', shop.id)
    .where('id', '=', waiting._id)
    .executeTakeFirstOrThrow();
  expect(driver_id).toBe(next.id);
});

test('a free driver within the radius is asked, however many nearer drivers are at capacity', async () => {
  const NEARER = 120;
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const { _id } = await ship(server, shop);
  const free = await createTestDriver(server.db);
  const busy = Array.from({ length: NEARER }, () => randomUUIDv7());
  await sql`insert into drivers (id, first_name, last_name, phone_number, available)
    select id, 'Ana', 'Leroy', '+33611111111', true from unnest(${busy}::uuid[]) as id`.execute(server.db);
  await sql`insert into shipments
    select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'number', 1 + n, 'status', 'assigned',
      'reference_number', 'BUSY' || n, 'driver_id', busy_id))).*
    from shipments s, unnest(${busy}::uuid[]) with ordinality as b (busy_id, n) where s.id = ${_id}`.execute(server.db);

  const { config, db, jobs, app } = server;
  const redis = new Redis(config.redisUrl);
  const positions = createRedisPositions(redis, config.redisPrefix);
  const at = new Date();
  for (const [i, driverId] of [...busy, free.id].entries()) {
    const position = { ...northOfPickup(0.1 + i / 1_000), at };
    await positions.save({ driverId, available: true, isRobot: false }, position);
  }
  const locator = createLocator(db, createTownCentres(), app.log);
  const searching = { db, positions, jobs, config, log: app.log, locator };
  await searchDriver(searching, { accountId: shop.id, shipmentId: _id }, at);
  redis.disconnect();
  expect(await openOffers(server, _id)).toEqual([free.id]);
});
