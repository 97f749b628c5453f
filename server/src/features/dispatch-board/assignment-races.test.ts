import { randomUUIDv7 } from 'node:crypto';
import type { AssignmentResult } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { crowd } from '../../../test/crowd.ts';
import { factsOf, shipOffered } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';

const RACES = 20;
const AT_ONCE = 4;
const WAIT = { timeout: 240_000, interval: 100 };

let server: TestServer;
let other: NavetteProcess;
let worker: TestWorker;
let shop: TestAccount;
let lea: TestStaff;
let yanis: TestStaff;
let ana: TestDriver;
let bob: TestDriver;

beforeAll(async () => {
  server = await startTestServer({
    DISPATCH_OFFER_SECONDS: '3600',
    DISPATCH_RUNS_PER_DRIVER: '1000',
    DRIVER_REQUESTS_PER_MINUTE: '100000',
  });
  shop = await server.createAccount({ paymentMode: 'deferred' });
  [other, worker] = await Promise.all([startNavette(['api'], server.environment), startTestWorker(server)]);
  lea = await createTestStaff(server, 'dispatcher', { name: 'Léa Morel' });
  yanis = await createTestStaff({ db: server.db, url: other.url }, 'dispatcher', { name: 'Yanis Cohen' });
  [ana, bob] = [await createTestDriver(server.db), await createTestDriver(server.db)];
});
afterAll(async () => {
  await worker.stop();
  await other.stop();
  await server.stop();
});

/** Shipments with an open offer to Ana. */
const offered = () => shipOffered(server, shop, RACES, [ana]);

async function assign(who: TestStaff, driver: TestDriver, id: string, commandId: string = randomUUIDv7()) {
  const rows = [{ shipmentId: id, version: '1.0' }];
  const { status, body } = await who.call('assignShipments', { body: { commandId, driverId: driver.id, rows } });
  expect(status).toBe(200);
  return body.results[0] as AssignmentResult;
}

/** Alternates which of the two is sent first. */
async function atOnce<A, B>(i: number, one: () => Promise<A>, two: () => Promise<B>): Promise<[A, B]> {
  if (i % 2 === 0) return Promise.all([one(), two()]);
  const second = two();
  return [await one(), await second];
}

describe(`${RACES} times at the same instant`, () => {
  test('two people on two processes assign one parcel: one wins, the other reads by whom', async () => {
    const winners = await crowd(AT_ONCE, await offered(), async (id, i) => {
      const [mine, theirs] = await atOnce(
        i,
        () => assign(lea, ana, id),
        () => assign(yanis, bob, id),
      );
      const [winner, loser, by] = mine.outcome === 'done' ? [mine, theirs, lea] : [theirs, mine, yanis];
      const driver = winner === mine ? ana : bob;
      expect(winner.outcome).toBe('done');
      expect(loser).toMatchObject({
        outcome: 'changed',
        conflict: { by: by.name, change: 'shipment.assigned', at: expect.any(String) },
        shipment: { status: 'assigned', driver: { id: driver.id } },
      });
      expect(await factsOf(server, id)).toMatchObject({
        driver: driver.id,
        history: ['created', 'assigned'],
        events: ['shipping.created', 'shipping.assigned'],
      });
      return by.name;
    });
    expect(winners).toHaveLength(RACES);
  });

  test('a person assigns while the driver accepts the offer: one of the two has it, the other is refused', async () => {
    await crowd(AT_ONCE, await offered(), async (id, i) => {
      const accept = () => overHttp(other.url, ana)('acceptOffer', { id });
      const [result, accepted] = await atOnce(i, () => assign(lea, bob, id), accept);
      const isAssigned = result.outcome === 'done';
      expect(accepted.status).toBe(isAssigned ? 409 : 200);
      expect(result).toMatchObject(isAssigned ? { outcome: 'done' } : { outcome: 'changed', conflict: { by: null } });
      expect(await factsOf(server, id)).toMatchObject({
        driver: isAssigned ? bob.id : ana.id,
        history: ['created', 'assigned'],
      });
    });
  });

  test('a person assigns while the merchant cancels: the shipment ends cancelled in either order', async () => {
    await crowd(AT_ONCE, await offered(), async (id, i) => {
      const cancel = () => server.call(shop, 'PUT', `/shipping/${id}/cancel`);
      const [result, cancelled] = await atOnce(i, () => assign(yanis, bob, id), cancel);
      expect(cancelled.status).toBe(200);
      const late = { outcome: 'changed', conflict: { by: null, change: 'shipment.cancelled' } };
      expect(result).toMatchObject(result.outcome === 'done' ? { conflict: null } : late);
      const history = result.outcome === 'done' ? ['created', 'assigned', 'cancelled'] : ['created', 'cancelled'];
      expect((await factsOf(server, id)).history).toEqual(history);
    });
  });

  test('one command is sent twice at once: one assignment, and both read that it was done', async () => {
    await crowd(AT_ONCE, await offered(), async (id, i) => {
      const commandId = randomUUIDv7();
      const send = () => assign(lea, bob, id, commandId);
      const [one, two] = await atOnce(i, send, send);
      expect([one.outcome, two.outcome]).toEqual(['done', 'done']);
      expect((await factsOf(server, id)).history).toEqual(['created', 'assigned']);
    });
  });

  test('an undo while the driver picks up: one of the two succeeds, never both', async () => {
    await crowd(AT_ONCE, await offered(), async (id, i) => {
      const commandId = randomUUIDv7();
      await assign(lea, bob, id, commandId);
      const undo = () => lea.call('undoAssignments', { params: { id: commandId } });
      const [undone, picked] = await atOnce(i, undo, () => overHttp(other.url, bob)('pickUp', { id }));
      const [result] = undone.body.results as AssignmentResult[];
      const { status } = await factsOf(server, id);
      const isPicked = picked.status === 200;
      const late = { outcome: 'changed', conflict: { change: 'shipment.picked_up' } };
      expect(result).toMatchObject(isPicked ? late : { outcome: 'done' });
      expect(status).toBe(isPicked ? 'picked_up' : 'created');
    });
  });

  test('afterwards every invariant holds', async () => {
    await vi.waitFor(async () => expect(await brokenInvariants(server)).toEqual([]), WAIT);
  });
});
