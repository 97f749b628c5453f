import { DRIVER_SOCKET_PATH } from '@navette/contract';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectApp, createTestDriver, overHttp } from '../driver-app.ts';
import { floodSocket } from '../socket-flood.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { startAttackedServer } from './tenant.ts';

const MESSAGES = 10_000;

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startAttackedServer({ DRIVER_REQUESTS_PER_MINUTE: '600', LOG_LEVEL: 'info' });
  account = await server.createAccount();
});
afterAll(() => server.stop());

test('of ten thousand positions and unknown commands on one socket, a few hundred reach the application', async () => {
  const { token } = await createTestDriver(server.db);
  const before = server.logged().length;
  const names = ['sendPosition', 'noSuchCommand'];
  const flooding = floodSocket({ url: server.url, token, names, messages: MESSAGES });
  const statuses = new Set<number>();
  const state = { flooding: true };
  void flooding.finally(() => {
    state.flooding = false;
  });
  while (state.flooding) statuses.add((await server.call(account, 'GET', '/account')).status);
  const { answers, cuts } = await flooding;
  expect(statuses).toEqual(new Set([200]));
  expect(answers[200] ?? 0).toBeLessThan(500);
  expect(cuts).toBeGreaterThan(0);
  const lines = server.logged().slice(before).split('\n');
  expect(lines.filter((line) => line.includes('/driver/')).length).toBeLessThan(MESSAGES / 10);
});

test('a driver has at most five sockets; the sixth replaces the oldest', async () => {
  const driver = await createTestDriver(server.db);
  const auth = { token: driver.token };
  const sockets: Socket[] = [];
  for (let i = 0; i < 30; i++) {
    sockets.push(
      io(server.url, {
        path: DRIVER_SOCKET_PATH,
        auth,
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
      }),
    );
  }
  const settled = () => sockets.every((socket) => socket.connected || socket.disconnected);
  await vi.waitFor(
    () => {
      expect(settled()).toBe(true);
      expect(sockets.filter(({ connected }) => connected).length).toBeLessThanOrEqual(5);
      expect(sockets.filter(({ connected }) => connected).length).toBeGreaterThan(0);
    },
    { timeout: 600_000 },
  );
  for (const socket of sockets) socket.disconnect();
});

test('an app that sends fifty queued commands after an outage is not throttled', async () => {
  const driver = await createTestDriver(server.db);
  const app = await connectApp(server.url, driver);
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.send('listShipments')));
  app.close();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await overHttp(server.url, driver)('readSession')).status).toBe(200);
});
