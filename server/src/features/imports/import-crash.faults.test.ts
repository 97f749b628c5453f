import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { BAD_LINES, importFile, importLine } from '../../../test/import-file.ts';
import { holdUpdates } from '../../../test/lock-waits.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { giveBackOrphans } from '../../../test/orphaned-jobs.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { runImportJob } from '../../jobs/definitions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const read = async (who: TestMember, id: string) => (await who.call('readImport', { params: { id } })).body.import;
const start = (who: TestMember, id: string) => who.call('startImport', { params: { id } });
const shipmentsOf = (accountId: string) =>
  server.db.selectFrom('shipments').select(['order_id', 'platform']).where('account_id', '=', accountId).execute();

/** Two hundred lines with seven bad ones among them. */
const twoHundred = () =>
  Array.from({ length: 200 }, (_, i) => importLine(`T-${i}`, i % 28 === 3 ? (BAD_LINES[(i - 3) / 28]?.[0] ?? {}) : {}));

test('an import of 200 lines with 7 bad ones, its worker killed in the middle, makes 193 shipments, charges and events, once', async () => {
  const merchant = await server.createAccount({ paymentMode: 'deferred' });
  const clerk = await createTestMember(server, merchant.id, 'operations');
  const { import: previewed } = (
    await clerk.call('previewImport', { body: { filename: 'envois.csv', text: importFile(twoHundred()) } })
  ).body;
  expect(previewed).toMatchObject({ lines: 200, good: 193, bad: 7 });

  const held = await holdUpdates(server.db, 'import_lines', 60);
  expect((await start(clerk, previewed.id)).body.import.state).toBe('running');
  const victim = await startNavette(['worker'], server.environment);
  await held.reached();
  await victim.kill();
  await held.release();
  const left = await read(clerk, previewed.id);
  expect(left).toMatchObject({ state: 'running' });
  expect(left.created).toBeGreaterThan(0);
  expect(left.created).toBeLessThan(193);

  await giveBackOrphans(server, runImportJob);
  expect((await start(clerk, previewed.id)).status).toBe(200); // and again: it changes nothing
  await withWorker(server, () =>
    vi.waitFor(async () => expect((await read(clerk, previewed.id)).state).toBe('done'), { timeout: 240_000 }),
  );
  expect(await read(clerk, previewed.id)).toMatchObject({ created: 193, failed: 0, bad: 7 });

  const shipments = await shipmentsOf(merchant.id);
  expect(shipments).toHaveLength(193);
  expect(new Set(shipments.map(({ order_id }) => order_id)).size).toBe(193);
  expect(new Set(shipments.map(({ platform }) => platform))).toEqual(new Set(['import']));
  const charges = await server.db
    .selectFrom('ledger_entries')
    .select('amount_cents')
    .where('account_id', '=', merchant.id)
    .execute();
  expect(charges.map(({ amount_cents }) => amount_cents)).toEqual(Array(193).fill(-850));
  const events = await server.db.selectFrom('events').select('type').where('account_id', '=', merchant.id).execute();
  expect(events.map(({ type }) => type)).toEqual(Array(193).fill('shipping.created'));
  expect(await brokenInvariants(server)).toEqual([]);
});
