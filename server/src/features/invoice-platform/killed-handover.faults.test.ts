import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { type FakeInvoicePlatform, startFakeInvoicePlatform } from '../../../test/fake-invoice-platform.ts';
import { createTestIssuer, INVOICING } from '../../../test/invoicing.ts';
import { holdUpdates } from '../../../test/lock-waits.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { writeCharge } from '../../../test/write-ledger.ts';
import { handOverInvoicesJob } from '../../jobs/definitions.ts';
import { closeMonths } from '../invoices/close-month.ts';

let platform: FakeInvoicePlatform;
let server: TestServer;
beforeAll(async () => {
  platform = await startFakeInvoicePlatform();
  server = await startTestServer({ ...INVOICING, ...platform.settings });
});
afterAll(async () => {
  await server.stop();
  await platform.stop();
});

async function issue(): Promise<string> {
  const { id } = await server.createAccount();
  await writeCharge(server.db, id, 1_150, '2026-09-11T08:00:00Z');
  const [number = ''] = await closeMonths(server.db, createTestIssuer(platform.settings), id, '2026-10', new Date());
  return number;
}
/** The job comes every minute; here at once. */
const startJob = () => server.db.transaction().execute((tx) => server.jobs.send(tx, handOverInvoicesJob, {}));
const stateOf = async (number: string) =>
  (await server.db.selectFrom('invoice_handovers').select('state').where('number', '=', number).executeTakeFirst())
    ?.state;

/** The next worker, and the time of the next attempt, which comes a minute after the first. */
async function finish(number: string): Promise<void> {
  const worker = await startNavette(['worker'], server.environment);
  await eventually(async () => {
    await server.db
      .updateTable('invoice_handovers')
      .set({ attempt_at: new Date(0) })
      .where('state', '=', 'waiting')
      .execute();
    await startJob();
    expect(await stateOf(number)).toBe('handed_over');
  });
  await worker.stop();
}

test('kill -9 while the platform has the document and has not answered: the next worker finds the same one', async () => {
  const number = await issue();
  platform.answerWith('accept-and-hold');
  const held = platform.holding();
  const worker = await startNavette(['worker'], server.environment);
  await startJob();
  await held;
  await worker.kill();
  expect(await stateOf(number)).toBe('waiting');
  await finish(number);
  expect(platform.documents.get(number)?.requests).toBe(2);
  expect(platform.documents.size).toBe(1);
});

test('kill -9 before the answer is saved: the next worker finds the same document', async () => {
  const number = await issue();
  const worker = await startNavette(['worker'], server.environment);
  const held = await holdUpdates(server.db, 'invoice_handovers', 1); // the first one takes it
  await startJob();
  await held.reached();
  await worker.kill();
  // PostgreSQL would finish the statement of the dead worker, as it may in real life: here it is lost.
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'advisory'`.execute(server.db);
  await held.release();
  expect([await stateOf(number), platform.documents.get(number)?.requests]).toEqual(['waiting', 1]);
  await finish(number);
  const { id } = platform.documents.get(number) ?? {};
  const row = await server.db
    .selectFrom('invoice_handovers')
    .select('platform_id')
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  expect(row.platform_id).toBe(id);
});
