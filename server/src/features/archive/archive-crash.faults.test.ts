import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { fillShipments } from '../../../test/fill-shipments.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { openProofStore } from '../../adapters/files/open-file-store.ts';
import { archiveShipmentsJob } from '../../jobs/definitions.ts';
import { deleteProofFiles } from '../proofs/index.ts';

const SHIPMENTS = 10_000; // twenty files
const CRASHES = 5;

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  await fillShipments(server.db, shop.id, SHIPMENTS);
  await sql`
    update shipments set personal_data_erased_at = now(), updated_at = now() - interval '500 days',
      delivered_at = now() - interval '500 days'
    where account_id = ${shop.id}`.execute(server.db);
});
afterAll(() => server.stop());

const environment = () => ({ ...server.environment, ARCHIVE_AFTER_DAYS: '400' });
const files = async () =>
  (await readdir(server.config.proofStore, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.gz'));
async function counts(): Promise<{ left: number; archived: number; files: number }> {
  const { rows } = await sql<{ left: number; archived: number; files: number }>`
    select (select count(*) from shipments) as left, (select count(*) from archived_shipments) as archived,
           (select count(*) from archive_files) as files`.execute(server.db);
  return rows[0] as { left: number; archived: number; files: number };
}
const enqueue = () => server.db.transaction().execute((tx) => server.jobs.send(tx, archiveShipmentsJob, {}));

test('a worker killed five times while it archives: every shipment is read once, before and after', async () => {
  await enqueue();
  for (let crash = 0; crash < CRASHES; crash++) {
    const victim = await startNavette(['worker'], environment());
    const written = (await files()).length;
    const exited = once(victim.process, 'exit');
    await eventually(async () => expect((await files()).length).toBeGreaterThan(written));
    victim.process.kill('SIGKILL');
    await exited;
    const now = await counts();
    expect(now.left + now.archived).toBe(SHIPMENTS);
    expect(now.archived).toBe(500 * now.files);
    expect((await files()).length).toBeGreaterThanOrEqual(now.files);
  }
  expect((await counts()).left).toBeGreaterThan(0); // each time something was under way

  const last = await startNavette(['worker'], environment());
  await enqueue();
  await eventually(async () => expect(await counts()).toEqual({ left: 0, archived: SHIPMENTS, files: 20 }));
  const exited = once(last.process, 'exit');
  last.process.kill('SIGTERM');
  await exited;

  const { body } = await server.call(shop, 'GET', '/shipping/labels');
  expect(new Set(body.shippings.map(({ _id }: { _id: string }) => _id)).size).toBe(SHIPMENTS);
  expect(body.shippings).toHaveLength(SHIPMENTS);
  await deleteProofFiles(server.db, openProofStore(server.config), new Date(Date.now() + 2 * 3_600_000));
  expect(await files()).toHaveLength(20); // those of interrupted attempts are gone
});
