import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { DriverEndpointName } from '@navette/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { crowd } from '../../../test/crowd.ts';
import { factsOf, shipMany } from '../../../test/dispatched.ts';
import { type CommandAnswer, createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

const PARCELS = 60;
const PHONES = 10;
const KILLS = 3;

let server: TestServer;
let ana: TestDriver;
let running: NavetteProcess;
const started: NavetteProcess[] = [];
const start = async () => {
  const child = await startNavette(['api'], server.environment);
  started.push(child);
  return child;
};
beforeAll(async () => {
  server = await startTestServer();
  ana = await createTestDriver(server.db);
  running = await start();
});
afterAll(async () => {
  await Promise.all(started.map((child) => child.stop()));
  await server.stop();
});

/** Sends a command as a phone does: with one id, again and again until a response arrives. */
async function sendUntilAnswered(name: DriverEndpointName, fields: Record<string, unknown>): Promise<CommandAnswer> {
  const command = { ...fields, commandId: randomUUID(), doneAt: new Date().toISOString() };
  for (;;) {
    const answer = await overHttp(running.url, ana)(name, command).catch(() => null);
    if (answer && answer.status < 500) return answer;
    await setTimeout(50); // a process starts
  }
}

test('three kill -9 while phones send their steps: every step happens once, every wrong code counts once', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const ids = await shipMany(server, shop, PARCELS);
  for (const id of ids) await moveShipment(server, shop, id, 'assign', { driverId: ana.id });
  let done = 0;
  let kills = 0;
  await crowd(PHONES, ids, async (id) => {
    const { code } = await factsOf(server, id);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect((await sendUntilAnswered('pickUp', { id })).status).toBe(200);
    expect((await sendUntilAnswered('depart', { id })).status).toBe(200);
    expect(await sendUntilAnswered('deliver', { id, deliveryCode: wrong })).toMatchObject({
      body: { attemptsLeft: 4 },
    });
    if (++done >= ((kills + 1) * PARCELS) / (KILLS + 1) && kills < KILLS) {
      kills++;
      await running.kill();
      running = await start();
    }
    expect((await sendUntilAnswered('deliver', { id, deliveryCode: code })).status).toBe(200);
  });
  expect(kills).toBe(KILLS);
  for (const id of ids) {
    expect(await factsOf(server, id)).toEqual({
      status: 'delivered',
      driver: ana.id,
      code: expect.any(String),
      wrongCodes: 1,
      history: ['created', 'assigned', 'picked_up', 'in_transit', 'delivered'],
      events: ['shipping.created', 'shipping.assigned', 'shipping.picked_up', 'shipping.delivered'],
    });
  }
  expect(await brokenInvariants(server)).toEqual([]);
});
