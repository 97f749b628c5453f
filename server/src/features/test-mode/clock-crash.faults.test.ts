import { BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { callApi } from '../../../test/call-api.ts';
import { ship } from '../../../test/dispatched.ts';
import { eventually } from '../../../test/eventually.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';
import { createTwin } from '../../../test/twin.ts';

const PARCELS = 20; // each on a day of its own
const DAY_MS = 86_400_000;

let server: TestServer;
let worker: TestWorker;
let twin: TestAccount;
let api: NavetteProcess;
beforeAll(async () => {
  server = await startTestServer();
  twin = await createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
  worker = await startTestWorker(server);
  api = await startNavette(['api'], server.environment);
});
afterAll(async () => {
  await api.stop();
  await worker.stop();
  await server.stop();
});

const move = (to: string) =>
  callApi(`${api.url}${BASE_PATH}/test/clock`, twin, 'POST', { body: { to } }).catch(() => null);
const activated = () =>
  server.db
    .selectFrom('shipments')
    .select(['activate_at as due', 'status_history as history'])
    .where('account_id', '=', twin.id)
    .where('status', '=', 'created')
    .execute();

test('a kill -9 of the process that moves the clock: the repeated call finishes, and each activation has its own time', async () => {
  for (let day = 2; day < PARCELS + 2; day++) {
    const scheduledDate = new Date(Date.now() + day * DAY_MS).toISOString().slice(0, 10);
    await ship(server, twin, { scheduledDate, timeSlot: '14h-16h' });
  }
  const to = new Date(Date.now() + (PARCELS + 3) * DAY_MS).toISOString();
  const moving = move(to);
  await eventually(async () => expect((await activated()).length).toBeGreaterThanOrEqual(1));
  await Promise.all([api.kill(), moving]);
  api = await startNavette(['api'], server.environment);
  const { body } = await server.call(twin, 'GET', '/test/clock');
  expect(body.clock.movingTo).toBe(to);

  await eventually(async () => expect((await move(to))?.status).toBe(200)); // 202: to be repeated
  const shipments = await activated();
  expect(shipments).toHaveLength(PARCELS);
  for (const { due, history } of shipments) {
    expect(history.map(({ status }) => status)).toEqual(['programmed', 'created']);
    expect(history[1]?.at).toBe(due?.toISOString());
  }
  expect((await move(to))?.status).toBe(200); // again, as after a lost response
  expect(await brokenInvariants(server)).toEqual([]);
});
