import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../test/broken-invariants.ts';
import { eventually } from '../../test/eventually.ts';
import { runNavette } from '../../test/navette-process.ts';
import { shipmentRequest } from '../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../test/test-worker.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';

interface Result {
  source: string;
  checked: number;
  missing: number;
  examples: string[];
}

let server: TestServer;
let worker: TestWorker;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let shop: TestAccount;
let folder: string;
let log: string;
const since = new Date();
beforeAll(async () => {
  server = await startTestServer({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  worker = await startTestWorker(server);
  receiver = await startWebhookReceiver();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  folder = await mkdtemp(join(tmpdir(), 'navette-verify-'));
  log = join(folder, 'api.log');
});
afterAll(async () => {
  await worker.stop();
  await receiver.stop();
  await server.stop();
  await rm(folder, { recursive: true });
});

async function verify(...args: string[]): Promise<{ code: number; results: Record<string, Result> }> {
  await writeFile(log, `a line of another program\n${server.logged()}`);
  const all = ['verify', '--since', since.toISOString(), '--log', log, '--json', ...args];
  const { code, stdout, stderr } = await runNavette(all, server.environment);
  if (!stdout) throw new Error(stderr);
  const results = JSON.parse(stdout) as Result[];
  return { code, results: Object.fromEntries(results.map((result) => [result.source, result])) };
}

test('everything that was acknowledged to callers is there, and ten rows that were removed by hand are named', async () => {
  await server.call(shop, 'POST', '/webhooks', { body: { url: receiver.url, events: ['shipping.created'] } });
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) {
    const headers = { 'x-idempotency-key': `order-${i}` };
    const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(), headers });
    ids.push(body.shipping._id);
    const label = await fetch(new URL(body.shipping.pdfUrl, server.url));
    expect(label.status).toBe(200);
    await label.arrayBuffer();
  }
  const batch = { shippings: Array.from({ length: 4 }, () => shipmentRequest()) };
  const { body } = await server.call(shop, 'POST', '/shipping/batch', { body: batch });
  ids.push(...body.shippings.map(({ shipping }: { shipping: { _id: string } }) => shipping._id));
  // By event: a busy machine may answer an attempt too late, which is then repeated.
  const announced = () => new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).data.id));
  await eventually(() => expect(announced().size).toBe(10));
  await workDone(server);

  await vi.waitFor(
    async () => {
      const { code, results } = await verify();
      expect(code).toBe(0);
      const checked = Object.values(results).map((result) => result.checked);
      expect(checked).toEqual([10, 6, 6, 6, 10, 10, 10, 10, 0]); // the request log is written twice a second
    },
    { timeout: 600_000 },
  );

  // A database that is consistent, but lacks the newest shipment: only the logs remember it.
  const lost = ids.at(-1) as string;
  await removeWhole(lost);
  expect(await brokenInvariants(server)).toEqual([]);
  const afterRestore = await verify();
  expect(afterRestore.code).toBe(1);
  expect(afterRestore.results['shipments in the logs of api processes']).toMatchObject({
    missing: 1,
    examples: [lost],
  });

  const removed = { shipments: ids.slice(0, 4), events: ids.slice(4, 7), deliveries: ids.slice(7, 9) };
  await server.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx); // no trigger, no foreign key
    await tx.deleteFrom('shipments').where('id', 'in', removed.shipments).execute();
    await sql`delete from webhook_deliveries where event_id in
      (select id from events where shipment_id = any(${removed.deliveries}::uuid[]))`.execute(tx);
    await tx.deleteFrom('events').where('shipment_id', 'in', removed.events).execute();
  });
  const { code, results } = await verify();
  expect(code).toBe(1);
  const missing = Object.fromEntries(Object.values(results).map((result) => [result.source, result.missing]));
  expect(missing).toEqual({
    'shipments in the logs of api processes': 5,
    'shipments in the request log': 4,
    'labels in the label store': 4,
    'shipments of idempotency keys': 4,
    'shipments of ledger entries': 4,
    'shipments of events': 4,
    'events of webhook deliveries': 3,
    'deliveries of webhook attempts': 2,
    'files of archived shipments': 0,
  });
  expect(results['shipments of events']?.examples.toSorted()).toEqual(removed.shipments.toSorted());
});

/** As if its transaction had never been: also its number, its charge and the totals. */
async function removeWhole(id: string): Promise<void> {
  const { price_cents: cents, day } = await server.db
    .selectFrom('shipments')
    .select(['price_cents', sql<string>`(created_at at time zone ${server.config.timeZone})::date::text`.as('day')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await server.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    const events = tx.selectFrom('events').select('id').where('shipment_id', '=', id);
    await tx.deleteFrom('webhook_attempts').where('event_id', 'in', events).execute();
    await tx.deleteFrom('webhook_deliveries').where('event_id', 'in', events).execute();
    for (const table of ['events', 'ledger_entries', 'messages', 'dispatch_decisions', 'driver_searches'] as const) {
      await sql`delete from ${sql.table(table)} where shipment_id = ${id}`.execute(tx);
    }
    await sql`delete from shipment_keys k using shipments s
      where s.id = ${id} and (k.account_id, -k.newest_first) = (s.account_id, s.number)`.execute(tx);
    await tx.deleteFrom('shipments').where('id', '=', id).execute();
    await sql`update account_counters set last_shipment = last_shipment - 1, last_entry = last_entry - 1,
      created = created - 1, amount_cents = amount_cents - ${cents}, balance_cents = balance_cents + ${cents}
      where account_id = ${shop.id}`.execute(tx);
    await sql`update daily_totals set shipments = shipments - 1, amount_cents = amount_cents - ${cents}
      where account_id = ${shop.id} and day = ${day}::date`.execute(tx);
  });
}
