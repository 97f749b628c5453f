import { randomUUIDv7 } from 'node:crypto';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  factsOf,
  firstStep,
  northOfPickup,
  openOffers,
  searchAmong,
  ship,
  shipMany,
} from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { waitForLockWaits } from '../../../test/lock-waits.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { transactionOf } from '../../../test/transaction-of.ts';
import { createTwin } from '../../../test/twin.ts';
import { createTownCentres } from '../../adapters/geocoder/town-centres.ts';
import { createDatabase, type Tx } from '../../database/database.ts';
import { type DriverNotification, notifyDriversJob } from '../../jobs/definitions.ts';
import type { DriverPositions } from '../drivers/index.ts';
import { createRedisPositions } from '../drivers/redis-positions.ts';
import { createLocator } from '../geocoding/index.ts';
import { createDriverSearch, type SearchDriverContext } from './search-driver.handler.ts';
import { takeSteps } from './take-steps.ts';

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

function searching(pushToDrivers: SearchDriverContext['pushToDrivers'] = async () => {}) {
  const { config, db, jobs, app } = server;
  const locator = createLocator(db, createTownCentres(), app.log);
  return createDriverSearch({ db, positions, jobs, config, log: app.log, locator, pushToDrivers });
}

const lock = (tx: Tx, driverId: string) =>
  sql`select from drivers where id = ${driverId} for no key update nowait`.execute(tx);

test('a search that finds its driver at capacity releases that lock before it waits for the next driver', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const [first, next] = [
    await createTestDriver(server.db, { autoAccept: true }),
    await createTestDriver(server.db, { autoAccept: true }),
  ];
  const [running, waiting] = [await ship(server, shop), await ship(server, shop)];

  const searched = await server.db.transaction().execute(async (holder) => {
    await lock(holder, next.id);
    const { searching } = await server.db.transaction().execute(async (other) => {
      await lock(other, first.id);
      const searching = searchAmong(server, shop, waiting._id, [first, next]);
      await waitForLockWaits(server.db, 1); // it has read that the first driver is free
      await other
        .updateTable('shipments')
        .set({ driver_id: first.id, status: 'assigned' })
        .where('account_id', '=', shop.id)
        .where('id', '=', running._id)
        .execute();
      return { searching };
    });
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(holder);
    await vi.waitFor(async () => {
      const waits = await sql`select from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`.execute(
        server.db,
      );
      expect(waits.rows).toHaveLength(1);
    });
    await server.db.transaction().execute((tx) => lock(tx, first.id)); // fails if the lock is still held
    return { searching };
  });
  await searched.searching;
  expect(await factsOf(server, waiting._id)).toMatchObject({ status: 'assigned', driver: next.id });
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
  await searching().search({ accountId: shop.id, shipmentId: _id }, at);
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
  const { search } = searching(async (notification) => {
    pushed.push(notification);
    if (pushed.length === 1) throw new Error('killed before the push'); // as in a worker that dies here
  });
  const wanted = { accountId: shop.id, shipmentId };
  await expect(search(wanted, at)).rejects.toThrow('killed');
  await search(wanted, at);
  const notification = { ...wanted, driverIds: [near.id], push: 'offer' };
  expect(pushed).toEqual([notification, notification]);
  expect(await openOffers(server, shipmentId)).toEqual([near.id]);

  const { id: searchId, step } = await server.db
    .selectFrom('driver_searches')
    .select(['id', 'step'])
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  await search({ ...wanted, timer: { searchId, step } }, at);
  await search({ ...wanted, timer: { searchId, step } }, at); // does nothing
  expect(await openOffers(server, shipmentId)).toEqual([further.id]);
  expect(pushed).toHaveLength(2);
  const { rows } = await sql`select data from pgboss.job
    where name = ${notifyDriversJob.name} and data->>'shipmentId' = ${shipmentId} and data->>'push' = 'offer'`.execute(
    server.db,
  );
  expect(rows).toEqual([{ data: { ...notification, driverIds: [further.id] } }]);
});

describe('steps of many searches at the same time', () => {
  const MANY = 40;

  test('take as many statements as one step', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const drivers = [await createTestDriver(server.db)];
    const [one, ...others] = await shipMany(server, shop, 1 + MANY);
    const stepsOf = (ids: string[]) => ids.map((id) => firstStep(shop, id, drivers));
    const take = (ids: string[]) =>
      transactionOf(server.pools.prepared, () =>
        createDatabase(server.pools.prepared)
          .transaction()
          .execute((tx) => takeSteps(tx, server, stepsOf(ids))),
      );
    const alone = await take([one as string]);
    expect(await take(others)).toHaveLength(alone.length);
    const searches = await server.db
      .selectFrom('driver_searches')
      .select(['state', 'step', 'round', 'wave'])
      .where('shipment_id', 'in', others)
      .execute();
    expect(searches).toHaveLength(MANY);
  });

  test('ask a driver no more often than they can take runs, and the next driver for the others', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const drivers = [await createTestDriver(server.db), await createTestDriver(server.db)];
    const ids = await shipMany(server, shop, 5);
    const config = { ...server.config, dispatch: { ...server.config.dispatch, runsPerDriver: 2, waveSize: 1 } };
    const steps = ids.map((id) => firstStep(shop, id, drivers));
    const outcomes = await server.db.transaction().execute((tx) => takeSteps(tx, { ...server, config }, steps));
    const [near, further] = drivers.map(({ id }) => ({ asked: [id] }));
    expect(outcomes).toEqual([near, near, further, further, { asked: [] }]);
    expect(await Promise.all(ids.map((id) => openOffers(server, id)))).toEqual(
      outcomes.map((outcome) => (outcome as { asked: string[] }).asked),
    );
  });

  test('of one shipment make one search', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const { _id: shipmentId } = await ship(server, shop);
    const { search } = searching();
    await Promise.all(Array.from({ length: 8 }, () => search({ accountId: shop.id, shipmentId }, new Date())));
    const searches = await server.db
      .selectFrom('driver_searches')
      .select('step')
      .where('shipment_id', '=', shipmentId)
      .execute();
    expect(searches).toEqual([{ step: 1 }]);
  });

  test('do not fail with one of them', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const [broken, ...others] = await shipMany(server, shop, 6);
    await sql`create function refuse_for_test() returns trigger language plpgsql as ${sql.lit(`
      begin if new.shipment_id = '${broken}' then raise exception 'broken'; end if; return new; end`)}`.execute(
      server.db,
    );
    await sql`create trigger refused before insert on driver_searches for each row execute function refuse_for_test()`.execute(
      server.db,
    );
    const { search } = searching();
    const ended = await Promise.allSettled(
      [broken as string, ...others].map((shipmentId) => search({ accountId: shop.id, shipmentId }, new Date())),
    );
    await sql`drop function refuse_for_test cascade`.execute(server.db);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', ...others.map(() => 'fulfilled')]);
    const searched = await server.db
      .selectFrom('driver_searches')
      .select('shipment_id as id')
      .where('shipment_id', 'in', [broken as string, ...others])
      .execute();
    expect(new Set(searched.map(({ id }) => id))).toEqual(new Set(others));
  });

  test('do not wait for a shipment that is held, nor do other commands wait for them', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const [held, ...others] = (await shipMany(server, shop, 3)) as [string, ...string[]];
    const drivers = [await createTestDriver(server.db)];
    const steps = [...others, held].map((id) => firstStep(shop, id, drivers));
    const outcomes = await server.db.transaction().execute(async (holder) => {
      await sql`select from shipments where account_id = ${shop.id} and id = ${held} for update`.execute(holder);
      return server.db.transaction().execute((tx) => takeSteps(tx, server, steps));
    });
    expect(outcomes).toEqual([{ asked: [drivers[0]?.id] }, { asked: [] }, 'by itself']);
    expect(await openOffers(server, held)).toEqual([]);
  });

  test('of a test twin ask a robot each', async () => {
    const twin = await createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
    const ids = await shipMany(server, twin, 6);
    const { search } = searching();
    await Promise.all(ids.map((shipmentId) => search({ accountId: twin.id, shipmentId }, new Date())));
    const asked = await Promise.all(ids.map((id) => openOffers(server, id)));
    expect(asked.map(({ length }) => length)).toEqual(ids.map(() => 1));
    expect(new Set(asked.flat()).size).toBe(ids.length);
  });

  test('assign each shipment to another driver, when drivers take every run', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const at = new Date();
    const drivers: string[] = [];
    for (let i = 0; i < 4; i++) {
      const { id: driverId } = await createTestDriver(server.db, { autoAccept: true });
      drivers.push(driverId);
      await positions.save({ driverId, available: true, isRobot: false }, { ...northOfPickup(0.001 * i), at });
    }
    const ids = await shipMany(server, shop, 4);
    const { search } = searching();
    await Promise.all(ids.map((shipmentId) => search({ accountId: shop.id, shipmentId }, at)));
    const assigned = await Promise.all(ids.map(async (id) => (await factsOf(server, id)).driver));
    expect(new Set(assigned)).toEqual(new Set(drivers));
  });
});
