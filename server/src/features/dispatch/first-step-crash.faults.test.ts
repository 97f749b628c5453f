import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { northOfPickup, openOffers, ship } from '../../../test/dispatched.ts';
import { connectApp, createTestDriver, overHttp } from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { waitForLockWaits } from '../../../test/lock-waits.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { giveBackOrphans } from '../../../test/orphaned-jobs.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker } from '../../../test/test-worker.ts';
import { followChangeJob } from '../../jobs/definitions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const countOf = async (table: 'messages' | 'driver_searches', shipmentId: string) =>
  (await server.db.selectFrom(table).select('id').where('shipment_id', '=', shipmentId).execute()).length;

test('a worker that is killed between the follow-up of a creation and its search leaves both to the next one', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const driver = await createTestDriver(server.db);
  const app = await connectApp(server.url, driver);
  const { _id: id } = await ship(server, shop);

  await server.db.transaction().execute(async (tx) => {
    await sql`select from shipments where id = ${id} for no key update`.execute(tx); // the search waits for this lock
    const victim = await startNavette(['worker'], server.environment);
    try {
      await waitForLockWaits(server.db, 1);
    } finally {
      await victim.kill();
    }
  });
  expect([await countOf('messages', id), await countOf('driver_searches', id)]).toEqual([2, 0]);

  await giveBackOrphans(server, followChangeJob);
  await overHttp(server.url, driver)('sendPosition', northOfPickup(0.5));
  const worker = await startTestWorker(server);
  try {
    await eventually(async () => expect(app.received).toMatchObject([{ push: 'offer', payload: { shippingId: id } }]));
  } finally {
    await worker.stop();
    app.close();
  }
  expect(await openOffers(server, id)).toEqual([driver.id]);
  expect([await countOf('messages', id), await countOf('driver_searches', id)]).toEqual([2, 1]);
  expect(await brokenInvariants(server)).toEqual([]);
});
