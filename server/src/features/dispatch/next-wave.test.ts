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
import { type DriverNotification, notifyDriversJob } from '../../jobs/definitions.ts';
import type { DriverPositions } from '../drivers/index.ts';
import { createRedisPositions } from '../drivers/redis-positions.ts';
import { createLocator } from '../geocoding/index.ts';
import { startNextWave } from './next-wave.ts';
import { type SearchDriverContext, searchDriver } from './search-driver.handler.ts';
import { startSearch } from './searches.ts';

let server: TestServer;
let redis: Redis;
let positions: DriverPositions;
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_RUNS_PER_DRIVER: '1', DISPATCH_RADIUS_KM: '1,5' });
  redis = new Redis(server.config.redisUrl);
  positions = createRedisPositions(redis, server.config.redisPrefix);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

function searching(pushToDrivers: SearchDriverContext['pushToDrivers']): SearchDriverContext {
  const { config, db, jobs, app } = server;
  const locator = createLocator(db, createTownCentres(), app.log);
  return { db, positions, jobs, config, log: app.log, locator, pushToDrivers };
}

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

  const at = new Date();
  for (const [i, driverId] of [...busy, free.id].entries()) {
    const position = { ...northOfPickup(0.1 + i / 1_000), at };
    await positions.save({ driverId, available: true, isRobot: false }, position);
  }
  await searchDriver(
    searching(async () => {}),
    { accountId: shop.id, shipmentId: _id },
    at,
  );
  expect(await openOffers(server, _id)).toEqual([free.id]);
});

test('an offer is pushed after its commit, and again when the job that made it runs again; that of a timer is a job', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const { _id: shipmentId } = await ship(server, shop);
  const [near, further] = [await createTestDriver(server.db), await createTestDriver(server.db)];
  const at = new Date();
  for (const [driver, km] of [
    [near, 0.05],
    [further, 3],
  ] as const) {
    await positions.save({ driverId: driver.id, available: true, isRobot: false }, { ...northOfPickup(km), at });
  }
  const pushed: DriverNotification[] = [];
  const context = searching(async (notification) => {
    pushed.push(notification);
    if (pushed.length === 1) throw new Error('killed before the push'); // as in a worker that dies here
  });
  const wanted = { accountId: shop.id, shipmentId };
  await expect(searchDriver(context, wanted, at)).rejects.toThrow('killed');
  await searchDriver(context, wanted, at);
  const notification = { ...wanted, driverIds: [near.id], push: 'offer' };
  expect(pushed).toEqual([notification, notification]);
  expect(await openOffers(server, shipmentId)).toEqual([near.id]);

  const { id: searchId, step } = await server.db
    .selectFrom('driver_searches')
    .select(['id', 'step'])
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  await searchDriver(context, { ...wanted, timer: { searchId, step } }, at);
  await searchDriver(context, { ...wanted, timer: { searchId, step } }, at); // does nothing
  expect(await openOffers(server, shipmentId)).toEqual([further.id]);
  expect(pushed).toHaveLength(2);
  const { rows } = await sql`select data from pgboss.job
    where name = ${notifyDriversJob.name} and data->>'shipmentId' = ${shipmentId} and data->>'push' = 'offer'`.execute(
    server.db,
  );
  expect(rows).toEqual([{ data: { ...notification, driverIds: [further.id] } }]);
});
