import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { crowd } from '../../../test/crowd.ts';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver, type TestDriver } from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createBoss } from '../../jobs/boss.ts';
import { countFiguresJob } from '../../jobs/definitions.ts';
import { endIncident, openIncident } from '../incidents/index.ts';
import { auditFigures } from './audit-figures.ts';
import { rebuildDay } from './rebuild-figures.ts';

const CRASHES = 2;
const RUNS_EACH = 30;
const CONNECTIONS = 6;
const ZONE = 'Europe/Paris';

let server: TestServer;
let shops: TestAccount[];
let drivers: TestDriver[];
const started: NavetteProcess[] = [];
beforeAll(async () => {
  server = await startTestServer();
  shops = await crowd(3, [1, 2, 3], () => server.createAccount({ paymentMode: 'deferred' }));
  drivers = await crowd(4, [1, 2, 3, 4], () => createTestDriver(server.db));
});
afterAll(async () => {
  await Promise.all(started.map((child) => child.stop()));
  await server.stop();
});

const pick = <T>(all: T[]): T => all[Math.floor(Math.random() * all.length)] as T;

/** A random end: delivered, sometimes reported hours late; cancelled; or delivered after an incident. */
async function endRun(): Promise<void> {
  const shop = pick(shops);
  const driverId = pick(drivers).id;
  const { _id: id } = await ship(server, shop);
  const luck = Math.random();
  if (luck < 0.2) {
    await moveShipment(server, shop, id, 'cancel');
    return;
  }
  await moveShipment(server, shop, id, 'assign', { driverId, payCents: 400 });
  if (luck < 0.4) await haveIncident(shop.id, id, driverId);
  const doneAt = new Date(Date.now() - Math.floor(Math.random() * 20 * 3_600_000));
  await moveShipment(server, shop, id, 'deliver', luck < 0.7 ? { doneAt } : {});
}

async function haveIncident(accountId: string, shipmentId: string, driverId: string): Promise<void> {
  const now = new Date();
  const incident = { kind: 'recipient_absent' as const, note: null, place: null, happenedAt: now, receivedAt: now };
  await server.db.transaction().execute(async (tx) => {
    await openIncident(tx, server.jobs, { accountId, shipmentId, driverId, ...incident });
    await endIncident(tx, accountId, shipmentId, { resolution: 'tried_again', by: 'operator', now });
  });
}

const brokenFigures = async () => (await auditFigures(server.db, ZONE, new Date())).filter(({ broken }) => broken > 0);
const countPending = async () => (await server.db.selectFrom('figures_pending').select('id').execute()).length;

test('counters equal the rows after concurrent runs, a rebuild among them, and kill -9 of the worker that counts', async () => {
  const boss = await createBoss(server.config, server.app.log).start();
  const askToCount = () => boss.send(countFiguresJob.name, {});
  for (let crash = 0; crash < CRASHES; crash++) {
    const victim = await startNavette(['worker'], server.environment);
    started.push(victim);
    await crowd(CONNECTIONS, Array.from({ length: RUNS_EACH }), async (_, i) => {
      await endRun();
      if (i % 5 === 0) await askToCount();
      if (i === RUNS_EACH / 2) await rebuildDay(server.db, new Date().toISOString().slice(0, 10), ZONE);
      if (i === RUNS_EACH - 10) victim.process.kill('SIGKILL');
    });
    await victim.exited;
    // Whatever the killed worker has counted. Searches that it left open end with the next worker.
    expect(await brokenFigures()).toEqual([]);
  }
  const last = await startNavette(['worker'], server.environment);
  started.push(last);
  await askToCount();
  await eventually(async () => expect(await countPending()).toBe(0));
  expect(await brokenFigures()).toEqual([]);
  await eventually(async () => expect(await brokenInvariants(server)).toEqual([]));
  await boss.stop({ graceful: false });
  expect(await countRuns()).toBe(CRASHES * RUNS_EACH);
});

/** All runs in the days of the whole company. */
async function countRuns(): Promise<number> {
  const { runs } = await server.db
    .selectFrom('figures')
    .select(({ fn }) => fn.sum<number>('runs').as('runs'))
    .where('dimension', '=', 'all')
    .where('grain', '=', 'day')
    .executeTakeFirstOrThrow();
  return runs;
}
