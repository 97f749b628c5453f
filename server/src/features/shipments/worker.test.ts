import type { ShipmentRequest } from '@navette/contract';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { startFakeGeocoder } from '../../../test/fake-geocoder.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { giveBackOrphans, makeDue } from '../../../test/orphaned-jobs.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { withWorker as withWorkerOf } from '../../../test/with-worker.ts';
import { openEngines } from '../../cli/engines.ts';
import { createJobSender } from '../../jobs/boss.ts';
import { activateShipmentJob, followChangeJob, locateShipmentJob } from '../../jobs/definitions.ts';
import { createLog } from '../../observability/create-log.ts';
import { createMessageMetrics } from '../messages/index.ts';
import { followChanges } from './follow-change.handler.ts';
import { locateShipment, setLocation } from './locate-shipment.ts';

const FOUND = { latitude: 48.8701, longitude: 2.3312 };
/** Not searching for a driver yet: its addresses are geocoded nevertheless. */
const LATER = { scheduledDate: '2031-03-05', timeSlot: '14h-16h' };
const WAIT = { timeout: 240_000, interval: 50 };

let geocoder: Awaited<ReturnType<typeof startFakeGeocoder>>;
let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  geocoder = await startFakeGeocoder();
  server = await startTestServer({ GEOCODER_URL: geocoder.url });
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(async () => {
  await server.stop();
  await geocoder.stop();
});
afterEach(() => server.setNow(null));

const withWorker = <Result>(work: () => Promise<Result>) => withWorkerOf(server, work);
const create = async (changes: Partial<ShipmentRequest> = {}, account = shop) =>
  (await server.call(account, 'POST', '/shipping', { body: shipmentRequest(changes) })).body.shipping;
const read = async (id: string, account = shop) => (await server.call(account, 'GET', `/shipping/${id}`)).body.shipping;
const unlocated = (street: string) => {
  const { coordinates: _coordinates, ...deliveryAddress } = shipmentRequest().deliveryAddress;
  return { deliveryAddress: { ...deliveryAddress, street } };
};

interface Job {
  id: string;
  name: string;
  state: string;
  due: Date;
  transaction: string;
}
const jobsOf = async (shipmentId: string, name: string) => {
  const { rows } = await sql<Job>`
    select id, name, state::text as state, start_after as due, xmin::text as transaction
    from pgboss.job where name = ${name} and data->>'shipmentId' = ${shipmentId}`.execute(server.db);
  return rows;
};
const transactionOf = async (table: string, shipmentId: string) => {
  const column = table === 'shipments' ? 'id' : 'shipment_id';
  const { rows } = await sql<{ transaction: string }>`
    select xmin::text as transaction from ${sql.table(table)} where ${sql.ref(column)} = ${shipmentId}`.execute(
    server.db,
  );
  return rows.map(({ transaction }) => transaction);
};
/** A shipment whose time to look for a driver came yesterday, though it was created before. */
const createOverdue = async (account: TestAccount) => {
  server.setNow(new Date('2026-03-02T08:00:00Z'));
  const shipping = await create({ scheduledDate: '2026-03-05', timeSlot: '14h-16h' }, account);
  server.setNow(null);
  return shipping;
};

describe('the follow-change job of a creation', () => {
  test('is enqueued exactly once, by the transaction that wrote shipment, charge and event', async () => {
    const { _id } = await create();
    const jobs = await jobsOf(_id, followChangeJob.name);
    expect(jobs).toHaveLength(1);
    const transaction = jobs[0]?.transaction;
    for (const table of ['shipments', 'ledger_entries', 'events'])
      expect(await transactionOf(table, _id)).toEqual([transaction]);
  });

  test('is enqueued once for each entry of a batch, and never for a refusal or a replay', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred', creditLimit: 20 });
    const post = (path: string, body: unknown, headers = {}) => server.call(account, 'POST', path, { body, headers });
    const key = { 'x-idempotency-key': account.id };
    await post('/shipping', shipmentRequest(), key);
    await post('/shipping', shipmentRequest(), key);
    await post('/shipping/batch', { shippings: [shipmentRequest(), {}, shipmentRequest()] });
    const { rows } = await sql<{ jobs: number; shipments: number }>`
      select count(*) as jobs, count(distinct data->>'shipmentId') as shipments from pgboss.job
      where name = ${followChangeJob.name} and data->>'accountId' = ${account.id}`.execute(server.db);
    expect(rows).toEqual([{ jobs: 2, shipments: 2 }]);
  });

  test('processed twice schedules one activation, for the promised time', async () => {
    const { _id } = await create({ scheduledDate: '2031-03-05', timeSlot: '14h-16h' });
    const engines = openEngines(server.config, createLog('silent'));
    const jobs = await createJobSender(server.config, engines.log);
    const change = { accountId: shop.id, shipmentId: _id, status: 'programmed', eventId: null } as const;
    const silent = { wakeSenders: async () => {}, pushToDrivers: async () => {}, searchDriver: async () => true };
    const following = { ...engines, jobs, metrics: createMessageMetrics(new Registry()), ...silent };
    await followChanges(following, [change]);
    await followChanges(following, [change]);
    await jobs.stop();
    await engines.close();
    const alarms = await jobsOf(_id, activateShipmentJob.name);
    expect(alarms).toHaveLength(1);
    expect(alarms[0]?.due).toEqual(new Date('2031-03-05T12:00:00Z')); // an hour before 14h
  });
});

describe('the worker', () => {
  test('finds the coordinates that a merchant did not send, of both addresses', async () => {
    geocoder.answerWith(FOUND);
    const place = { street: '3 quai de la Gare', city: 'Lyon', postalCode: '69002' };
    const { _id, ...created } = await create({ ...unlocated('8 rue de la Paix'), pickupAddress: place });
    expect(created).toMatchObject({ deliveryAddress: { coordinates: null }, pickupAddress: { location: null } });
    await withWorker(() =>
      vi.waitFor(async () => expect((await read(_id)).deliveryAddress.coordinates).toEqual(FOUND), WAIT),
    );
    const { pickupAddress, deliveryAddress, ...rest } = await read(_id);
    expect(rest).toMatchObject({ referenceNumber: created.referenceNumber, status: 'created' });
    expect(deliveryAddress).toStrictEqual({ ...created.deliveryAddress, coordinates: FOUND });
    expect(pickupAddress).toStrictEqual({
      ...created.pickupAddress,
      location: { type: 'Point', coordinates: [FOUND.longitude, FOUND.latitude] },
    });
  });

  test('processes a backlog without a pause', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    const shippings = Array(300).fill(shipmentRequest());
    await server.call(account, 'POST', '/shipping/batch', { body: { shippings } });
    const left = async () => {
      const { rows } = await sql<{ left: number }>`select count(*) as left from pgboss.job
        where name = ${followChangeJob.name} and state <> 'completed'`.execute(server.db);
      return rows[0]?.left;
    };
    await withWorker(() => vi.waitFor(async () => expect(await left()).toBe(0), WAIT));
  });

  test('keeps coordinates that were sent, and leaves an unknown address without them', async () => {
    geocoder.answerWith('nothing');
    const known = await create();
    const unknown = await create({ ...unlocated('Nulle part'), ...LATER });
    await withWorker(() =>
      vi.waitFor(async () => {
        expect((await jobsOf(known._id, followChangeJob.name))[0]?.state).toBe('completed');
        expect((await jobsOf(unknown._id, locateShipmentJob.name))[0]?.state).toBe('completed');
      }, WAIT),
    );
    expect(await jobsOf(known._id, locateShipmentJob.name)).toEqual([]);
    expect((await read(known._id)).deliveryAddress).toStrictEqual(known.deliveryAddress);
    expect((await read(unknown._id)).deliveryAddress.coordinates).toBe(null);
  });

  test('retries while the geocoder is unreachable, instead of giving up the address', async () => {
    geocoder.answerWith('error');
    const { _id } = await create({ ...unlocated('9 rue Injoignable'), ...LATER });
    const stateOf = async () => (await jobsOf(_id, locateShipmentJob.name))[0]?.state;
    await withWorker(() => vi.waitFor(async () => expect(await stateOf()).toBe('retry'), WAIT));
    geocoder.answerWith(FOUND);
    await makeDue(server, locateShipmentJob);
    await withWorker(() => vi.waitFor(async () => expect(await stateOf()).toBe('completed'), WAIT));
    expect((await read(_id)).deliveryAddress.coordinates).toEqual(FOUND);
  });

  test('keeps the location that the operator set while the geocoder was still running', async () => {
    const { _id } = await create({ ...unlocated('7 rue Disputée'), ...LATER });
    const given = { latitude: 48.1, longitude: 2.1 };
    const slow = {
      locate: async () => {
        await setLocation(server.db, shop.id, _id, { pickup: null, delivery: given });
        return FOUND;
      },
    };
    await locateShipment(server.db, slow, shop.id, _id);
    expect((await read(_id)).deliveryAddress.coordinates).toEqual(given);
  });

  test('activates a programmed shipment when its time has come, without an event', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    const { _id } = await createOverdue(account);
    await withWorker(() => vi.waitFor(async () => expect((await read(_id, account)).status).toBe('created'), WAIT));
    const { statusHistory } = await read(_id, account);
    expect(statusHistory.map(({ status }: { status: string }) => status)).toEqual(['programmed', 'created']);
    expect(await server.db.selectFrom('events').select('type').where('shipment_id', '=', _id).execute()).toEqual([
      { type: 'shipping.created' },
    ]);
  });

  test('does not activate a shipment that was cancelled before its scheduled activation', async () => {
    const { _id } = await create({ scheduledDate: '2031-03-05', timeSlot: '14h-16h' });
    await withWorker(async () => {
      await vi.waitFor(async () => expect(await jobsOf(_id, activateShipmentJob.name)).toHaveLength(1), WAIT);
      await server.call(shop, 'PUT', `/shipping/${_id}/cancel`);
      await sql`update pgboss.job set start_after = now()
        where name = ${activateShipmentJob.name} and data->>'shipmentId' = ${_id}`.execute(server.db);
      await vi.waitFor(
        async () => expect((await jobsOf(_id, activateShipmentJob.name))[0]?.state).toBe('completed'),
        WAIT,
      );
    });
    const { status, statusHistory } = await read(_id);
    expect(status).toBe('cancelled');
    expect(statusHistory).toHaveLength(2);
  });

  test('killed in the middle of a job, leaves the job to the next worker', async () => {
    const { _id } = await create({ ...unlocated('5 rue Lente'), ...LATER });
    geocoder.answerWith('hang');
    geocoder.requests.length = 0;
    const victim = await startNavette(['worker'], server.environment);
    try {
      await vi.waitFor(() => expect(geocoder.requests).not.toHaveLength(0), WAIT);
    } finally {
      await victim.kill();
    }
    expect((await jobsOf(_id, locateShipmentJob.name))[0]?.state).toBe('active');

    geocoder.answerWith(FOUND);
    await giveBackOrphans(server, locateShipmentJob);
    await withWorker(() =>
      vi.waitFor(async () => expect((await read(_id)).deliveryAddress.coordinates).toEqual(FOUND), WAIT),
    );
    expect(await jobsOf(_id, locateShipmentJob.name)).toMatchObject([{ state: 'completed' }]);
  });

  test('completes a job that has failed for a day as soon as possible: follow-up work of a creation is never given up', async () => {
    const { _id } = await create(LATER);
    await sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now(), retry_count = 150
      where name = ${followChangeJob.name} and data->>'shipmentId' = ${_id}`.execute(server.db);
    await giveBackOrphans(server, followChangeJob);
    await withWorker(() =>
      vi.waitFor(async () => expect(await jobsOf(_id, activateShipmentJob.name)).toHaveLength(1), WAIT),
    );
  });

  test('afterwards every invariant holds', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
