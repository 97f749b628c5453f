import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { crowd } from '../../../test/crowd.ts';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { type NavetteProcess, runNavette, startNavette } from '../../../test/navette-process.ts';
import { earnedByShipments, ledgerSums, PAY } from '../../../test/paid-runs.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { assignAnyShipment } from '../dispatch/index.ts';
import { correctDriverBalance } from './driver-ledger.ts';

const CRASHES = 3;
const DELIVERIES_EACH = 40;
const CONNECTIONS = 8;
const DRIVERS = 4;

let server: TestServer;
let shop: TestAccount;
let drivers: TestDriver[];
const started: NavetteProcess[] = [];
beforeAll(async () => {
  server = await startTestServer(PAY);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  drivers = await Promise.all(Array.from({ length: DRIVERS }, () => createTestDriver(server.db)));
});
afterAll(async () => {
  await Promise.all(started.map((child) => child.stop()));
  await server.stop();
});

async function start(): Promise<NavetteProcess> {
  const child = await startNavette(['api'], server.environment);
  started.push(child);
  return child;
}

interface AssignedRun {
  id: string;
  code: string;
  driver: TestDriver;
}

async function assignRuns(): Promise<AssignedRun[]> {
  return crowd(CONNECTIONS, Array.from({ length: DELIVERIES_EACH }), async (_, i) => {
    const driver = drivers[i % DRIVERS] as TestDriver;
    const parcelDetails = { weight: 1 + i / 7, nature: 'Livres' };
    const { _id: id, referenceNumber } = await ship(server, shop, { parcelDetails });
    await assignAnyShipment({ ...server, now: new Date() }, referenceNumber, driver.id);
    const { delivery_code } = await server.db
      .selectFrom('shipments')
      .select('delivery_code')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { id, code: delivery_code ?? '', driver };
  });
}

const deliver = (url: string, { id, code, driver }: AssignedRun) =>
  overHttp(url, driver)('deliver', { id, deliveryCode: code });

test('kill -9 in the middle of deliveries loses no payment, pays none twice and leaves every balance right', async () => {
  let interrupted = 0;
  let corrections = 0;
  for (let crash = 0; crash < CRASHES; crash++) {
    const [runs, victim] = await Promise.all([assignRuns(), start()]);
    let answered = 0;
    await crowd(CONNECTIONS, runs, async (run, i) => {
      if (victim.process.killed) return;
      if (i % 10 === 0) {
        await correctDriverBalance(server.db, run.driver.id, 7, 'bonus');
        corrections++;
      }
      try {
        const { status } = await deliver(victim.url, run);
        expect(status).toBe(200);
        answered++;
      } catch {
        interrupted++; // the connection broke: unknown whether the delivery was committed
      }
      if (answered >= 5 + crash * 10) victim.process.kill('SIGKILL');
    });
    await victim.exited;
    expect(victim.process.signalCode).toBe('SIGKILL');
    await crowd(CONNECTIONS, runs, async (run) => expect((await deliver(server.url, run)).status).toBe(200));
  }

  expect(interrupted).toBeGreaterThan(0);
  const [entries, earned] = [await ledgerSums(server), await earnedByShipments(server)];
  const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, cents) => total + cents, 0);
  expect(sum(entries.values())).toBe(sum(earned.values()) + 7 * corrections);
  const { runs } = await server.db
    .selectFrom('driver_ledger_entries')
    .select((eb) => eb.fn.countAll<number>().as('runs'))
    .where('kind', '=', 'run')
    .executeTakeFirstOrThrow();
  expect(runs).toBe(CRASHES * DELIVERIES_EACH);
  for (const driver of drivers) {
    const { body } = await overHttp(server.url, driver)('readEarnings');
    expect(Math.round(body.total * 100)).toBe(entries.get(driver.id));
  }
  expect(await brokenInvariants(server)).toEqual([]);
  expect(await runNavette(['audit', '--json'], server.environment)).toMatchObject({ code: 0, stderr: '' });
});
