import { once } from 'node:events';
import { BASE_PATH } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { callApi } from '../../../test/call-api.ts';
import { factsOf, shipMany } from '../../../test/dispatched.ts';
import { eventually } from '../../../test/eventually.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { createTwin } from '../../../test/twin.ts';

const PARCELS = 24;
const KILLS = 3;
const API_PROCESSES = 2;
const STEPS = ['acceptOffer', 'pickUp', 'depart', 'deliver'];

let server: TestServer;
let worker: TestWorker;
let twin: TestAccount;
let running: NavetteProcess[];
const started: NavetteProcess[] = [];
beforeAll(async () => {
  server = await startTestServer();
  twin = await createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
  await server.app.close(); // the robots of this process would hide the death of the others
  worker = await startTestWorker(server);
  running = await startProcesses();
});
afterAll(async () => {
  await Promise.all(started.map((child) => child.stop()));
  await worker.stop();
  await server.stop();
});

const startProcesses = () =>
  Promise.all(
    Array.from({ length: API_PROCESSES }, async () => {
      const child = await startNavette(['api'], server.environment);
      started.push(child);
      return child;
    }),
  );
async function killAll(): Promise<void> {
  const exits = running.map(({ process: child }) => once(child, 'exit'));
  for (const { process: child } of running) child.kill('SIGKILL');
  await Promise.all(exits);
}
const call: TestServer['call'] = (account, method, path, options = {}) =>
  callApi(`${running[0]?.url}${BASE_PATH}${path}`, account, method, options);

/** Commands of the robots that were applied. */
const commands = () =>
  server.db
    .selectFrom('driver_commands')
    .select(['shipment_id', 'name'])
    .where('refusal', 'is', null)
    .orderBy('received_at')
    .execute();

test('three kill -9 of all api processes while robots deliver: every parcel once, no command twice, clean', async () => {
  await call(twin, 'PUT', '/test/courier', { body: { mode: 'auto', secondsPerStep: 1 } });
  const ids = await shipMany({ call }, twin, PARCELS);
  for (let kill = 1; kill <= KILLS; kill++) {
    const enough = (kill * PARCELS * STEPS.length) / (KILLS + 1);
    await eventually(async () => expect((await commands()).length).toBeGreaterThanOrEqual(enough));
    await killAll();
    // The lease of a dead process ends after half a minute; the test does not wait for it.
    await sql`update test_couriers set next_at = now() where account_id = ${twin.id}`.execute(server.db);
    running = await startProcesses();
  }
  await eventually(async () => {
    const { body } = await call(twin, 'GET', '/shipping/stats');
    expect(body.stats.byStatus.delivered).toBe(PARCELS);
  });
  await workDone(server);
  const applied = Map.groupBy(await commands(), ({ shipment_id }) => shipment_id);
  for (const id of ids) {
    expect(applied.get(id)?.map(({ name }) => name)).toEqual(STEPS);
    const { history, events, wrongCodes } = await factsOf(server, id);
    expect({ history, events, wrongCodes }).toEqual({
      history: ['created', 'assigned', 'picked_up', 'in_transit', 'delivered'],
      events: ['shipping.created', 'shipping.assigned', 'shipping.picked_up', 'shipping.delivered'],
      wrongCodes: 0,
    });
  }
  expect(await brokenInvariants(server)).toEqual([]);
});
