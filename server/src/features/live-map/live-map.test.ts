import { randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MapBox, MapStop } from '@navette/contract';
import { sql } from 'kysely';
import { PMTiles } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp } from '../../../test/driver-app.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { makePmtiles } from '../../../test/pmtiles-file.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { EARTH } from '../../geography/area.ts';
import { createMemoryPositions } from '../drivers/index.ts';
import { createDriverMap } from './list-drivers.ts';
import { createStopMap } from './list-stops.ts';

const ATTRIBUTION = '© OpenStreetMap';
const PICTURE = Buffer.from('any bytes: the server does not read them');
const BREST: MapBox = { west: -4.6, south: 48.3, east: -4.4, north: 48.5 };
const NOWHERE: MapBox = { west: -40, south: 30, east: -39, north: 31 };

let server: TestServer;
let zoe: TestStaff;
let shop: TestAccount;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navette-tiles-'));
  await writeFile(join(folder, 'area.pmtiles'), makePmtiles(PICTURE, ATTRIBUTION));
  server = await startTestServer({ MAP_TILES_FILE: join(folder, 'area.pmtiles') });
  zoe = await createTestStaff(server, 'dispatcher');
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** A shipment whose recipient is in this place. */
const shipTo = (latitude: number, longitude: number) =>
  ship(server, shop, {
    deliveryAddress: { ...shipmentRequest().deliveryAddress, coordinates: { latitude, longitude } },
  });

async function stopsIn(area: MapBox): Promise<{ stops: MapStop[]; clusters: { count: number }[]; total: number }> {
  const { status, body } = await zoe.call('listMapStops', { query: area });
  expect(status).toBe(200);
  return body;
}

describe('the stops in an area', () => {
  test('are those of open shipments there, and no others', async () => {
    const [inBrest] = await Promise.all([shipTo(48.4, -4.5), shipTo(43.3, 5.4)]);
    const { stops, total } = await stopsIn(BREST);
    expect(total).toBe(1);
    expect(stops).toMatchObject([
      {
        kind: 'drop',
        latitude: 48.4,
        longitude: -4.5,
        shipment: { id: inBrest._id, reference: inBrest.referenceNumber },
      },
    ]);
    expect((await stopsIn(NOWHERE)).total).toBe(0);
    await moveShipment(server, shop, inBrest._id, 'cancel');
    expect((await stopsIn(BREST)).stops).toEqual([]);
  });

  test('hold the pickup until the parcel is picked up', async () => {
    const area = { west: 2.3, south: 48.8, east: 2.4, north: 48.9 };
    const { _id } = await shipTo(48.41, -4.51);
    const kinds = async () =>
      (await stopsIn(area)).stops.flatMap(({ kind, shipment }) => (shipment.id === _id ? [kind] : []));
    expect(await kinds()).toEqual(['pickup']);
    const driver = await createTestDriver(server.db);
    await moveShipment(server, shop, _id, 'assign', { driverId: driver.id });
    await moveShipment(server, shop, _id, 'pick_up');
    expect(await kinds()).toEqual([]);
    expect((await stopsIn(BREST)).stops).toMatchObject([{ kind: 'drop', shipment: { driver: { id: driver.id } } }]);
  });

  test('show neither the recipient’s name nor the street', async () => {
    const { body } = await zoe.call('listMapStops', { query: BREST });
    const { recipientName, street } = shipmentRequest().deliveryAddress;
    expect(JSON.stringify(body)).not.toContain(recipientName);
    expect(JSON.stringify(body)).not.toContain(street);
  });

  test('are counted by clusters when there are more than 500', async () => {
    const { _id } = await shipTo(43.3, 5.37);
    await sql`
      insert into shipments select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(),
        'number', 1000000 + n, 'reference_number', 'M' || n, 'pickup_address', s.pickup_address::jsonb,
        'delivery_address', jsonb_set(s.delivery_address::jsonb, '{coordinates,longitude}', to_jsonb(5 + n * 0.001))))).*
      from shipments s, generate_series(1, 600) n where s.id = ${_id}`.execute(server.db);
    const fresh = createStopMap(server.db);
    const area = { west: 4.9, south: 43, east: 5.7, north: 43.6 };
    const { stops, clusters, total } = await fresh.listIn(area);
    expect(stops).toEqual([]);
    expect(total).toBeGreaterThanOrEqual(601);
    expect(clusters.reduce((sum, { count }) => sum + count, 0)).toBe(total);
    expect(clusters.length).toBeLessThanOrEqual(96);
    const small = await fresh.listIn({ ...area, west: 5, east: 5.0101 });
    expect(small.stops).toHaveLength(10);
  });

  test('need an area whose edges are in order', async () => {
    const { status, body } = await zoe.call('listMapStops', { query: { ...BREST, west: 1, east: 0 } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: 'west', location: 'query' }]);
  });
});

describe('the drivers in an area', () => {
  test('have their names and runs', async () => {
    const driver = await createTestDriver(server.db, { firstName: 'Inès' });
    await overHttp(server.url, driver)('sendPosition', { latitude: 48.39, longitude: -4.48 });
    const { _id } = await shipTo(43, 1);
    await moveShipment(server, shop, _id, 'assign', { driverId: driver.id });
    const { body } = await zoe.call('listMapDrivers', { query: BREST });
    expect(body).toMatchObject({
      known: true,
      total: 1,
      drivers: [{ id: driver.id, name: 'Inès Leroy', runs: 1, available: true }],
    });
    expect((await zoe.call('listMapDrivers', { query: NOWHERE })).body.drivers).toEqual([]);
  });

  test('are read once a second for all large areas, and by the index for small ones', async () => {
    const stored = createMemoryPositions();
    const reads: MapBox[] = [];
    const readDrivers = createDriverMap({
      ...stored,
      seen(area, most) {
        reads.push(area);
        return stored.seen(area, most);
      },
    });
    const driverId = randomUUIDv7();
    await stored.save(
      { driverId, available: true, isRobot: false },
      { latitude: 48.39, longitude: -4.48, at: new Date() },
    );
    const small = { west: -4.481, south: 48.389, east: -4.479, north: 48.391 };
    for (const area of [BREST, NOWHERE, small]) await readDrivers(area);
    expect(reads).toEqual([EARTH, small]);
    expect((await readDrivers(small)).map((seen) => seen.driverId)).toEqual([driverId]);
  });
});

describe('more drivers than are read at once', () => {
  test('are read by area, also when some of those read have no position any more', async () => {
    const stored = createMemoryPositions();
    const reads: MapBox[] = [];
    const readDrivers = createDriverMap({
      ...stored,
      async seen(area) {
        reads.push(area);
        return { drivers: [], isComplete: area !== EARTH };
      },
    });
    await readDrivers(BREST);
    expect(reads).toEqual([EARTH, BREST]);
  });
});

describe('the background', () => {
  const tiles = (headers: Record<string, string>, cookie = zoe.cookie) =>
    fetch(`${server.url}/console/api/map/tiles.pmtiles`, { headers: { ...headers, ...(cookie ? { cookie } : {}) } });

  test('is the operator’s file, which a reader of PMTiles understands', async () => {
    const { body } = await zoe.call('readMapSettings');
    expect(body.map).toMatchObject({ background: 'file', styleUrl: null });
    const archive = new PMTiles({
      getKey: () => 'test',
      async getBytes(offset, length) {
        const response = await tiles({ range: `bytes=${offset}-${offset + length - 1}` });
        expect(response.status).toBe(206);
        return { data: await response.arrayBuffer() };
      },
    });
    expect(await archive.getMetadata()).toMatchObject({ attribution: ATTRIBUTION });
    expect(Buffer.from((await archive.getZxy(1, 1, 1))?.data ?? new ArrayBuffer(0))).toEqual(PICTURE);
    expect(await archive.getZxy(2, 0, 0)).toBeUndefined();
  });

  test('is served in parts, with a tag that changes with the file', async () => {
    const part = await tiles({ range: 'bytes=0-6' });
    expect([part.status, await part.text()]).toEqual([206, 'PMTiles']);
    const etag = part.headers.get('etag') ?? '';
    expect((await tiles({ 'if-none-match': etag })).status).toBe(304);
    expect((await tiles({})).status).toBe(416);
    expect((await tiles({ range: 'bytes=9999999-' })).status).toBe(416);
    await utimes(join(folder, 'area.pmtiles'), new Date(), new Date(5));
    expect((await tiles({ range: 'bytes=0-6', 'if-none-match': etag })).headers.get('etag')).not.toBe(etag);
  });

  test('is served to staff who may dispatch only', async () => {
    const accountant = await createTestStaff(server, 'accountant');
    expect((await tiles({ range: 'bytes=0-6' }, '')).status).toBe(401);
    expect((await tiles({ range: 'bytes=0-6' }, accountant.cookie)).status).toBe(403);
  });

  test('does not use up the limit of other requests', async () => {
    const panning = await createTestStaff(server, 'dispatcher');
    for (let i = 0; i < 620; i++) expect((await tiles({ range: 'bytes=0-6' }, panning.cookie)).status).toBe(206);
    expect((await panning.call('listInbox')).status).toBe(200);
  });

  test('has the main towns of an area for a map without tiles', async () => {
    const { body } = await zoe.call('listMapTowns', { query: { west: 4.5, south: 45.9, east: 6, north: 46.5 } });
    expect(body.towns[0]).toEqual({ name: 'Bourg-en-Bresse', latitude: 46.20574, longitude: 5.2258 });
    expect(body.towns.length).toBeLessThanOrEqual(60);
  });
});
