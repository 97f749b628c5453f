import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { consoleCaller, createTestStaff } from '../../../test/console.ts';
import { shipMany } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { holdUpdates } from '../../../test/lock-waits.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

const ROWS = 20;
const DONE_BEFORE = 7;

let server: TestServer;
let victim: NavetteProcess;
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_RUNS_PER_DRIVER: '1000' });
  victim = await startNavette(['api'], server.environment);
});
afterAll(async () => {
  await victim.stop();
  await server.stop();
});

test('kill -9 between two rows leaves whole rows; the same command, sent again, does the rest and nothing twice', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const driver = await createTestDriver(server.db);
  const ids = await shipMany(server, shop, ROWS);
  const staff = await createTestStaff({ db: server.db, url: victim.url }, 'dispatcher');
  const rows = ids.map((shipmentId) => ({ shipmentId, version: '1.0' }));
  const body = { commandId: randomUUIDv7(), driverId: driver.id, rows };

  const held = await holdUpdates(server.db, 'shipments', DONE_BEFORE);
  const interrupted = staff.call('assignShipments', { body }).then(
    () => 'answered',
    () => 'interrupted',
  );
  await held.reached();
  await victim.kill();
  await held.release();
  expect(await interrupted).toBe('interrupted');

  const actsOf = () =>
    server.db.selectFrom('operator_acts').select('subject_id').where('act', '=', 'shipment.assigned').execute();
  expect(await actsOf()).toHaveLength(DONE_BEFORE);

  const again = await consoleCaller(server.url, staff)('assignShipments', { body });
  expect(again.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(ROWS).fill('done'));
  const acts = await actsOf();
  expect(new Set(acts.map(({ subject_id }) => subject_id)).size).toBe(ROWS);
  expect(acts).toHaveLength(ROWS);
  expect(await brokenInvariants(server)).toEqual([]);
});
