import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff } from '../../../test/console.ts';
import { shipMany } from '../../../test/dispatched.ts';
import { eventually } from '../../../test/eventually.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { giveBackOrphans } from '../../../test/orphaned-jobs.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, workDone } from '../../../test/test-worker.ts';
import { JOBS } from '../../jobs/definitions.ts';

const SHIPMENTS = 120;

let server: TestServer;
let mailbox: FakeMailbox;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startTestServer({ MAIL_URL: mailbox.url, DISPATCH_RETRY_SECONDS: '600' });
});
afterAll(async () => {
  await server.stop();
  await mailbox.stop();
});

const held = async () =>
  Number(
    (
      await server.db
        .selectFrom('driver_searches')
        .select(({ fn }) => fn.countAll().as('held'))
        .where('zone_id', 'is not', null)
        .executeTakeFirstOrThrow()
    ).held,
  );

async function runWorker(): Promise<void> {
  const worker = await startTestWorker(server);
  try {
    await workDone(server);
  } finally {
    await worker.stop();
  }
}

test('workers that are killed while they hold searches leave one decision and one e-mail for each', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const staff = await createTestStaff(server, 'dispatcher');
  const ids = await shipMany(server, shop, SHIPMENTS);
  await runWorker(); // every search has started, and found nobody
  const shape = { kind: 'circle', centre: { latitude: 48.8556, longitude: 2.3601 }, radiusMetres: 500 };
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const zone = { id: randomUUID(), shape, endsAt, reason: 'Crue', message: 'Une crue retarde votre livraison.' };
  expect((await staff.call('createZone', { body: zone })).status).toBe(200);

  for (const share of [0.2, 0.6]) {
    const victim = await startNavette(['worker'], server.environment);
    try {
      await eventually(async () => expect(await held()).toBeGreaterThanOrEqual(SHIPMENTS * share));
    } finally {
      await victim.kill();
    }
    for (const job of JOBS.filter(({ schedule }) => !schedule)) await giveBackOrphans(server, job);
  }
  await server.db
    .updateTable('messages')
    .set({ reserved_at: new Date(Date.now() - 3_600_000) })
    .where('status', '=', 'sending')
    .execute();
  await runWorker();

  expect(await held()).toBe(SHIPMENTS);
  const rows = await server.db
    .selectFrom('messages')
    .select(['shipment_id', 'status'])
    .where('kind', '=', 'zone-email')
    .execute();
  expect(rows.map(({ shipment_id }) => shipment_id).toSorted()).toEqual(ids.toSorted());
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['sent']));
  const decisions = await server.db
    .selectFrom('dispatch_decisions')
    .select('shipment_id')
    .where('kind', '=', 'offers stopped')
    .execute();
  expect(decisions).toHaveLength(SHIPMENTS);
});
