import { randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ship } from '../../../test/dispatched.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { makePmtiles } from '../../../test/pmtiles-file.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { makeStreetTiles } from '../../../test/street-tiles.ts';
import { startTestServer } from '../../../test/test-server.ts';
import { signReference } from '../shipments/index.ts';
import { type MapTiles, openMapTiles } from './map-tiles.ts';
import { drawStreets } from './street-map.ts';

const HOME = { latitude: 48.8638, longitude: 2.3345 };
const NEAR = { latitude: 48.8591, longitude: 2.3431 };
const PAGE_BYTES = 40_000;

let folder: string;
let streets: string;
let tiles: MapTiles;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navette-map-'));
  streets = join(folder, 'streets.pmtiles');
  await writeFile(streets, makeStreetTiles('<a href="https://www.openstreetmap.org/">© OpenStreetMap & Cie</a>'));
  await writeFile(join(folder, 'pictures.pmtiles'), makePmtiles(Buffer.from('a picture'), ''));
  await writeFile(join(folder, 'broken.pmtiles'), 'no map');
  tiles = (await openMapTiles(streets)) as MapTiles;
});
afterAll(async () => {
  await tiles.close();
  await rm(folder, { recursive: true });
});

/** Every point of a path, as the browser reaches it. */
function pointsOf(path: string): [number, number][] {
  let [x, y] = [0, 0];
  return [...path.matchAll(/([Ml])(-?\d+) (-?\d+)/g)].map(([, letter, a, b]) => {
    [x, y] = letter === 'M' ? [Number(a), Number(b)] : [x + Number(a), y + Number(b)];
    return [x, y];
  });
}

describe('the streets around driver and destination', () => {
  test('are true to scale and direction, with both places inside the drawing', async () => {
    const map = await drawStreets(tiles, NEAR, HOME);
    expect(map?.credit).toBe('© OpenStreetMap & Cie');
    const { driver, destination } = map as NonNullable<typeof map>;
    for (const { x, y } of [driver, destination]) {
      expect(x).toBeGreaterThanOrEqual(70);
      expect(x).toBeLessThanOrEqual(570);
      expect(y).toBeGreaterThanOrEqual(60);
      expect(y).toBeLessThanOrEqual(276);
    }
    // At this latitude a degree of longitude is 0.658 of a degree of latitude.
    const slope = (driver.y - destination.y) / (driver.x - destination.x);
    expect(slope).toBeCloseTo((HOME.latitude - NEAR.latitude) / ((NEAR.longitude - HOME.longitude) * 0.658), 1);
  });

  test('have minor and major roads and water, no paths, and stay within their bytes and near the drawing', async () => {
    for (const driver of [NEAR, HOME, { latitude: 48.9, longitude: 2.4 }, { latitude: 48.85, longitude: 2.3 }]) {
      const map = await drawStreets(tiles, driver, HOME);
      expect(map?.major).toMatch(/^M/);
      expect(map?.minor).toMatch(/^M/);
      expect(`${map?.water}${map?.minor}${map?.major}`.length).toBeLessThan(14_000);
      for (const [x, y] of pointsOf(map?.water ?? '')) {
        expect(x).toBeGreaterThanOrEqual(-10);
        expect(x).toBeLessThanOrEqual(650);
        expect(y).toBeGreaterThanOrEqual(-10);
        expect(y).toBeLessThanOrEqual(346);
      }
    }
  });

  test('are left out when the driver is too far away for streets', async () => {
    expect(await drawStreets(tiles, { latitude: 48.2, longitude: 2.3 }, HOME)).toBe(null);
  });

  test('read six tiles at most, and each of them once', async () => {
    const asked: string[] = [];
    const counted: MapTiles = {
      ...tiles,
      read: (zoom, x, y) => {
        asked.push(`${zoom}/${x}/${y}`);
        return tiles.read(zoom, x, y);
      },
    };
    for (let i = 1; i < 40; i++) {
      asked.length = 0;
      await drawStreets(counted, { latitude: HOME.latitude + i / 700, longitude: HOME.longitude + i / 900 }, HOME);
      expect(asked.length).toBeLessThanOrEqual(6);
      expect(new Set(asked).size).toBe(asked.length);
    }
    const [zoom, x, y] = (asked[0] as string).split('/').map(Number) as [number, number, number];
    expect(tiles.read(zoom, x, y)).toBe(tiles.read(zoom, x, y)); // kept
  });
});

test('the page draws them from MAP_TILES_FILE under 40 kB, and the sketch when the file cannot be used', async () => {
  for (const [file, isMap] of [
    ['streets.pmtiles', true],
    ['pictures.pmtiles', false],
    ['broken.pmtiles', false],
    ['missing.pmtiles', false],
  ] as const) {
    const livePositions = { positionFor: async () => ({ ...NEAR, at: new Date() }) };
    const server = await startTestServer({ MAP_TILES_FILE: join(folder, file) }, { livePositions });
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const driverId = randomUUIDv7();
    const driver = { id: driverId, first_name: 'Yacine', last_name: 'Benali', phone_number: '+33611111111' };
    await server.db.insertInto('drivers').values(driver).execute();
    const deliveryAddress = { ...shipmentRequest().deliveryAddress, coordinates: HOME };
    const { _id: id, referenceNumber } = await ship(server, shop, { deliveryAddress });
    for (const trigger of ['assign', 'pick_up', 'depart'] as const)
      await moveShipment(server, shop, id, trigger, { driverId });
    const token = signReference(server.config.linkSecrets, 'track', referenceNumber);
    for (let i = 0; i < 2; i++) {
      const text = await (await fetch(`${server.url}/t/${token}`)).text();
      expect([file, text.includes('class="sketch streets"')]).toEqual([file, isMap]);
      expect([file, text.includes('class="sketch"')]).toEqual([file, !isMap]);
      expect(text.includes('href="https://www.openstreetmap.org')).toBe(!isMap);
      expect(Buffer.byteLength(text)).toBeLessThan(PAGE_BYTES);
      expect(text.includes('© OpenStreetMap &amp; Cie</text>')).toBe(isMap);
    }
    const warnings = server.logged().split('MAP_TILES_FILE cannot be drawn').length - 1;
    expect([file, warnings]).toEqual([file, file === 'broken.pmtiles' || file === 'missing.pmtiles' ? 1 : 0]);
    await server.stop();
  }
});
