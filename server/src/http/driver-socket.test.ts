import { setTimeout } from 'node:timers/promises';
import { BASE_PATH, DRIVER_BASE_PATH, DRIVER_SOCKET_PATH } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callApi } from '../../test/call-api.ts';
import { crowd } from '../../test/crowd.ts';
import { type ConnectedApp, connectApp, createTestDriver, overHttp } from '../../test/driver-app.ts';
import { eventually } from '../../test/eventually.ts';
import { type NavetteProcess, startNavette } from '../../test/navette-process.ts';
import { floodSocket } from '../../test/socket-flood.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';
import { timeLimitMs } from '../../test/time-limit.ts';

const HERE = { latitude: 48.85, longitude: 2.35 };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

function count(statuses: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('a driver app that sends 20,000 positions and 20,000 unknown commands', () => {
  const EVERY_MS = 15;
  let flooded: NavetteProcess;
  let beside: NavetteProcess;
  let otherTenant: TestAccount;
  beforeAll(async () => {
    [flooded, beside] = (await Promise.all([1, 2].map(() => startNavette(['api'], server.environment)))) as [
      NavetteProcess,
      NavetteProcess,
    ];
    otherTenant = await server.createAccount();
  });
  afterAll(() => Promise.all([flooded.stop(), beside.stop()]));

  interface Measured {
    status: number;
    ms: number;
  }

  async function ask({ url }: NavetteProcess): Promise<Measured> {
    const start = performance.now();
    const { status } = await callApi(`${url}${BASE_PATH}/account`, otherTenant, 'GET').catch(() => ({ status: 0 }));
    return { status, ms: performance.now() - start };
  }

  /** Another tenant's requests to both processes, at a fixed rate that does not wait for responses. */
  async function measureUntil(end: Promise<unknown>): Promise<[flooded: Measured[], beside: Measured[]]> {
    const requests: [Promise<Measured>[], Promise<Measured>[]] = [[], []];
    const ended = end.then(() => true);
    while (!(await Promise.race([ended, setTimeout(EVERY_MS, false)]))) {
      requests[0].push(ask(flooded));
      requests[1].push(ask(beside));
    }
    return [await Promise.all(requests[0]), await Promise.all(requests[1])];
  }

  const p99 = (requests: Measured[]) => {
    const times = requests.map(({ ms }) => ms).sort((a, b) => a - b);
    return Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
  };

  test('is disconnected: the p99 of another tenant rises by at most 250 ms, and no request fails', async () => {
    const driver = await createTestDriver(server.db);
    const start = Date.now();
    const quiet = await measureUntil(setTimeout(3_000));
    const flood = floodSocket({ ...driver, url: flooded.url, names: ['sendPosition', 'fly'], messages: 40_000 });
    const during = await measureUntil(flood);
    const { cuts, answers } = await flood;
    const seconds = (Date.now() - start) / 1_000;
    const lines = flooded
      .logged()
      .split('\n')
      .filter((line) => line.includes(DRIVER_BASE_PATH)).length;
    const [before, under, aside] = [quiet[0], ...during].map(p99) as [number, number, number];
    const figures = JSON.stringify({ before, under, aside, seconds, cuts, answers, lines });

    const all = [...quiet, ...during].flat();
    expect(count(all.map(({ status }) => status)), figures).toEqual({ 200: all.length });
    // Compared with the time before the flood and with the other process during it: a busy machine slows both.
    expect(under, figures).toBeLessThanOrEqual(Math.max(before, aside) + timeLimitMs(250));
    expect(cuts, figures).toBeGreaterThan(0);
    // Requests that reached a route: the burst, those within the limits since, and a handshake per connection.
    expect(lines, figures).toBeLessThan(200 + 12 * seconds + cuts + 10);
    expect(answers[429] ?? 0, figures).toBeLessThan(100 + seconds + 10);
    expect(await overHttp(flooded.url, driver)('listOffers')).toMatchObject({ status: 200 }); // HTTP has a separate limit
  });
});

describe('sockets of one driver', () => {
  test('the sixth socket closes the oldest; of five hundred, five stay open', async () => {
    const driver = await createTestDriver(server.db);
    const first: ConnectedApp[] = [];
    for (let i = 0; i < 7; i++) first.push(await connectApp(server.url, driver));
    const open = () => first.map(({ socket }) => socket.connected);
    await eventually(() => expect(open()).toEqual([false, false, true, true, true, true, true]));
    const otherDriver = await connectApp(server.url, await createTestDriver(server.db));

    const more = await crowd(25, Array.from({ length: 493 }), () => connectApp(server.url, driver));
    const left = () => [...first, ...more].filter(({ socket }) => socket.connected);
    await vi.waitFor(() => expect(left()).toHaveLength(5), { timeout: 240_000 });
    for (const { send } of left()) expect((await send('sendPosition', HERE)).status).toBe(200);
    expect(otherDriver.socket.connected).toBe(true);
    for (const app of [...first, ...more, otherDriver]) app.close();
  });

  test('at most four commands run at the same time, over any number of sockets', async () => {
    const driver = await createTestDriver(server.db);
    const apps = [await connectApp(server.url, driver), await connectApp(server.url, driver)];
    const waiting = async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db);
      return rows[0]?.waiting;
    };
    const sent: Promise<{ status: number }>[] = [];
    await server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('drivers').select('id').where('id', '=', driver.id).forUpdate().execute();
      for (const { send } of apps) for (let i = 0; i < 20; i++) sent.push(send('setAvailability', { available: true }));
      await eventually(async () => expect(await waiting()).toBe(4));
      expect((await overHttp(server.url, await createTestDriver(server.db))('readSession')).status).toBe(200);
      expect(await waiting()).toBe(4);
    });
    expect(count((await Promise.all(sent)).map(({ status }) => status))).toEqual({ 200: 40 });
    for (const app of apps) app.close();
  });
});

test('a connection is closed after five tokens', async () => {
  const address = `${server.url.replace('http', 'ws')}${DRIVER_SOCKET_PATH}/?EIO=4&transport=websocket`;
  const socket = new WebSocket(address);
  const packets: string[] = [];
  socket.onmessage = ({ data }) => packets.push(String(data).slice(0, 2));
  const closed = new Promise((resolve) => {
    socket.onclose = resolve;
  });
  await eventually(() => expect(packets).toHaveLength(1)); // the server's open packet
  for (let i = 0; i < 100; i++) socket.send('40{"token":"navette_driver_wrong"}');
  await closed;
  const lookedUp = () => server.logged().match(/"route":"\/driver\/api\/v1\/session","status":401/g);
  await eventually(() => expect(lookedUp()).toHaveLength(5));
});

describe('an app within its limits', () => {
  test('gets a response to every command after four reconnections with fifty queued commands each', async () => {
    const driver = await createTestDriver(server.db);
    for (let time = 0; time < 4; time++) {
      const app = await connectApp(server.url, driver);
      const names = Array.from(
        { length: 50 },
        (_, i) => (['sendPosition', 'listOffers', 'listShipments'] as const)[i % 3],
      );
      const answers = await Promise.all(names.map((name) => app.send(name ?? 'listOffers', HERE)));
      expect(count(answers.map(({ status }) => status))).toEqual({ 200: 50 });
      app.close();
    }
  });
});

describe('positions', () => {
  test('have a separate limit of 120 a minute over both channels, which does not affect commands', async () => {
    const driver = await createTestDriver(server.db);
    const app = await connectApp(server.url, driver);
    const http = overHttp(server.url, driver);
    const senders = Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? http : app.send));
    const answers = await crowd(20, senders, (send) => send('sendPosition', HERE));
    const { 200: passed = 0, 429: refused = 0, ...others } = count(answers.map(({ status }) => status));
    expect(others).toEqual({});
    expect(passed).toBeGreaterThanOrEqual(120);
    expect(passed).toBeLessThanOrEqual(240); // a new minute may have started meanwhile
    expect(passed + refused).toBe(300);
    expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({ success: false, window: 'minute' });
    expect(await app.send('listOffers')).toMatchObject({ status: 200 });
    app.close();
  });
});

test('an unknown command reaches no route and writes no log line', async () => {
  const app = await connectApp(server.url, await createTestDriver(server.db));
  const lines = () => server.logged().split('\n').length;
  await app.send('readSession');
  await eventually(() => expect(server.logged()).toContain('/driver/api/v1/session'));
  const before = lines();
  for (const name of ['fly', 'createSession', 'constructor', '__proto__', 'toString'])
    expect(await app.send(name as never, {})).toEqual({
      status: 404,
      body: { success: false, message: 'Commande inconnue : vérifiez son nom.' },
    });
  expect(lines()).toBe(before);
  app.close();
});
