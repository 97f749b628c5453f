import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { fillShipments } from '../../../test/fill-shipments.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { openProofStore } from '../../adapters/files/open-file-store.ts';
import { deleteProofFiles } from '../proofs/index.ts';
import { PER_FILE } from './archive-shipments.ts';

const SHIPMENTS = 10_000;
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

const PROCESS = fileURLToPath(new URL('../../../test/archive-process.ts', import.meta.url));
const startArchiving = (): ChildProcess =>
  spawn(process.execPath, [PROCESS], { env: server.environment, stdio: 'inherit' });
const files = async () =>
  (await readdir(server.config.proofStore, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.gz'));
async function counts(): Promise<{ left: number; archived: number; files: number }> {
  const { rows } = await sql<{ left: number; archived: number; files: number }>`
    select (select count(*) from shipments) as left, (select count(*) from archived_shipments) as archived,
           (select count(*) from archive_files) as files`.execute(server.db);
  return rows[0] as { left: number; archived: number; files: number };
}

test('archiving that is killed five times: every shipment is read once', async () => {
  for (let crash = 0; crash < CRASHES; crash++) {
    const written = (await files()).length;
    const victim = startArchiving();
    const exited = once(victim, 'exit');
    await eventually(async () => expect((await files()).length).toBeGreaterThan(written));
    await sleep(crash * 4); // at another step each time
    victim.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
    const now = await counts();
    expect(now.left + now.archived).toBe(SHIPMENTS);
    expect(now.archived).toBe(PER_FILE * now.files);
    expect((await files()).length).toBeGreaterThanOrEqual(now.files);
  }
  expect((await counts()).left).toBeGreaterThan(0); // each time something was under way

  expect(await once(startArchiving(), 'exit')).toEqual([0, null]);
  expect(await counts()).toEqual({ left: 0, archived: SHIPMENTS, files: SHIPMENTS / PER_FILE });
  const { body } = await server.call(shop, 'GET', '/shipping/labels');
  expect(new Set(body.shippings.map(({ _id }: { _id: string }) => _id)).size).toBe(SHIPMENTS);
  expect(body.shippings).toHaveLength(SHIPMENTS);
  await deleteProofFiles(server.db, openProofStore(server.config), new Date(Date.now() + 2 * 3_600_000));
  expect(await files()).toHaveLength(SHIPMENTS / PER_FILE); // those of interrupted attempts are gone
});
