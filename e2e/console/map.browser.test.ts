import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { qrPng } from '../../server/src/features/messages/qr-png.ts';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { ship } from '../../server/test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../server/test/driver-app.ts';
import { eventually } from '../../server/test/eventually.ts';
import { makePmtiles } from '../../server/test/pmtiles-file.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

const drawn = (page: Page) => page.locator('[data-ready=true] canvas').waitFor();
const PARIS = { latitude: 48.86, longitude: 2.35 };

describe('the map without tiles', () => {
  let stage: ConsoleStage;
  let lea: TestStaff;
  let karim: TestDriver;
  let reference: string;
  beforeAll(async () => {
    stage = await openConsoleStage({ DISPATCH_RETRY_SECONDS: '600' });
    const { server } = stage;
    lea = await createTestStaff(server, 'dispatcher', { name: 'Léa Morel' });
    karim = await createTestDriver(server.db, { firstName: 'Karim' });
    const shop = await server.createAccount({ name: 'Fleurs & Fils', paymentMode: 'deferred' });
    ({ referenceNumber: reference } = await ship(server, shop));
    await overHttp(server.url, karim)('sendPosition', PARIS);
  });
  afterAll(() => stage?.stop());

  test('shows drivers and stops, follows a driver, and leads to the pages of both by keyboard', async () => {
    const { page, seen, close } = await stage.open('/map', lea);
    await drawn(page);
    await overHttp(stage.server.url, karim)('sendPosition', PARIS);
    await page.getByRole('status').filter({ hasText: 'En direct' }).waitFor();
    await page.getByRole('tab', { name: '1 livreur' }).waitFor();
    const row = page.getByRole('button', { name: /Karim Leroy/ });
    await row.focus();
    await page.keyboard.press('Enter');
    const chosen = page.getByRole('region', { name: 'Karim Leroy' });
    await chosen.getByText('disponible').waitFor();

    const before = await chosen.locator('time').getAttribute('datetime');
    await eventually(async () => {
      await overHttp(stage.server.url, karim)('sendPosition', { ...PARIS, latitude: 48.861 });
      expect(await chosen.locator('time').getAttribute('datetime')).not.toBe(before);
    });

    await page.getByRole('tab', { name: /arrêt/ }).click();
    await page
      .getByRole('button', { name: new RegExp(reference) })
      .first()
      .click();
    await page.getByRole('link', { name: 'Page de l’envoi' }).press('Enter');
    await page.getByRole('heading', { name: `Envoi ${reference}` }).waitFor();
    expect(seen.requests.filter((url) => !url.startsWith(stage.server.url) && !url.startsWith('blob:'))).toEqual([]);
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test('keeps its drivers and their clicks when the colours of the system change', async () => {
    const { page, seen, close } = await stage.open('/map', lea);
    await drawn(page);
    await overHttp(stage.server.url, karim)('sendPosition', PARIS);
    const row = page.getByRole('button', { name: /Karim Leroy/ });
    const chosen = page.getByRole('region', { name: 'Karim Leroy' });
    await row.click();
    await chosen.waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    const canvas = page.locator('canvas');
    const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    await eventually(async () => {
      await row.click(); // moves the map there; the position may have come after the click before
      await canvas.click({ position: { x: width - 60, y: 40 } });
      expect(await chosen.count()).toBe(0);
      await canvas.click({ position: { x: width / 2, y: height / 2 } });
      expect(await chosen.count()).toBe(1);
    });
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test('loads the map’s code on its own page only', async () => {
    const { page, seen, close } = await stage.open('/approvals', lea);
    await page.getByRole('heading', { name: 'Approbations' }).waitFor();
    expect(seen.requests.filter((url) => /maplibre|\/map-/.test(url))).toEqual([]);
    await close();
  });

  test('says that the connection is lost, and is live again by itself', async () => {
    const { page, close } = await stage.open('/approvals', lea);
    const connections: WebSocketRoute[] = [];
    await page.routeWebSocket(/socket\.io/, (connection) => {
      connection.connectToServer();
      connections.push(connection);
    });
    await page.goto(`${stage.server.url}/console/map`);
    await page.getByRole('status').filter({ hasText: 'En direct' }).waitFor();
    await connections.at(-1)?.close();
    await page.getByRole('status').filter({ hasText: 'Connexion interrompue' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'En direct' }).waitFor();
    await close();
  });

  test('is not open to an accountant', async () => {
    const { page, close } = await stage.open('/map', await createTestStaff(stage.server, 'accountant'));
    await page.getByText('Votre rôle ne donne pas accès à cette page').first().waitFor();
    await close();
  });
});

describe('the map with the operator’s PMTiles file', () => {
  let stage: ConsoleStage;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'navette-tiles-'));
    const file = join(folder, 'area.pmtiles');
    await writeFile(
      file,
      makePmtiles(qrPng('a picture'), '<a href="https://www.openstreetmap.org/">© OpenStreetMap</a>'),
    );
    stage = await openConsoleStage({ MAP_TILES_FILE: file });
  });
  afterAll(async () => {
    await stage?.stop();
    await rm(folder, { recursive: true });
  });

  test('draws its tiles under the page’s content policy, with the attribution', async () => {
    const { page, seen, close } = await stage.open('/map', await createTestStaff(stage.server, 'dispatcher'));
    await drawn(page);
    await page.getByText('© OpenStreetMap').waitFor();
    const tiles = () => seen.requests.filter((url) => url.endsWith('/tiles.pmtiles')).length;
    await eventually(() => expect(tiles()).toBeGreaterThanOrEqual(2)); // directory and metadata, then pictures
    expect(seen.complaints).toEqual([]);
    await close();
  });
});

describe('the map with a style of another origin', () => {
  let stage: ConsoleStage;
  let styles: Server;
  let origin: string;
  beforeAll(async () => {
    styles = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
      const layers = [{ id: 'ground', type: 'background', paint: { 'background-color': '#ddeeff' } }];
      response.end(JSON.stringify({ version: 8, sources: {}, layers }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => styles.once('listening', resolve));
    origin = `http://127.0.0.1:${(styles.address() as AddressInfo).port}`;
    stage = await openConsoleStage({ MAP_STYLE_URL: `${origin}/style.json` });
  });
  afterAll(async () => {
    await stage?.stop();
    styles?.close();
  });

  test('is loaded, also when the map is opened from another page; no other page may load from there', async () => {
    const { page, seen, close } = await stage.open('/approvals', await createTestStaff(stage.server, 'dispatcher'));
    const isAllowed = () => page.evaluate(`fetch('${origin}/style.json').then(() => true, () => false)`);
    expect(await isAllowed()).toBe(false);
    seen.complaints.length = 0;
    await page.getByRole('link', { name: 'Carte' }).click();
    await drawn(page);
    await eventually(() => expect(seen.requests).toContain(`${origin}/style.json`));
    expect(await isAllowed()).toBe(true);
    expect(seen.complaints).toEqual([]);
    await page.getByRole('link', { name: 'Approbations' }).click();
    await page.getByRole('heading', { name: 'Approbations' }).waitFor();
    await eventually(async () => expect(await isAllowed()).toBe(false));
    await close();
  });
});
