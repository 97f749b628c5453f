import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dropDatabase } from '../../../test/drop-database.ts';
import {
  brokenForeignKeys,
  countRows,
  create,
  FILLED,
  leftovers,
  type MovedShop,
  type MovingCells,
  openMovedShop,
  startMovingCells,
} from '../../../test/moving-cells.ts';
import { spawnNavette } from '../../../test/navette-process.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts';
import { type Directory, openDirectory } from '../../cells/directory.ts';
import { findPerson } from '../../cells/sign-in-people.ts';

let cells: MovingCells;
let directoryUrl: string;
let directory: Directory;
let receiver: WebhookReceiver;
let shop: MovedShop;
let workers: TestWorker[];
beforeAll(async () => {
  cells = await startMovingCells();
  directoryUrl = `${cells.source.config.databaseUrl}_directory`;
  directory = openDirectory(directoryUrl);
  await directory.prepare();
  for (const [tag, { url }] of [
    ['P2', cells.source],
    ['Q3', cells.target],
  ] as const)
    await directory.addCell({ tag, address: url, keysFingerprint: 'the same' });
  receiver = await startWebhookReceiver();
  shop = await openMovedShop(cells, receiver);
  workers = await Promise.all([startTestWorker(cells.source), startTestWorker(cells.target)]);
});
afterAll(async () => {
  for (const worker of workers ?? []) await worker.stop();
  await directory?.close();
  await dropDatabase(directoryUrl);
  await cells?.stop();
  await receiver?.stop();
});

/** Runs the command and kills it when it reports a step that is not among `seen`. Null when it ended by itself. */
async function killAtNewStep(seen: Set<string>): Promise<string | null> {
  const { source, target } = cells;
  const args = ['account', 'move', shop.account.id, '--to', 'Q3', '--json'];
  const child = spawnNavette(
    [...args, '--target-url', target.config.databaseDirectUrl],
    { ...source.environment, LOG_LEVEL: 'warn', CELL: 'P2', DIRECTORY_URL: directoryUrl },
    'pipe',
  );
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let errors = '';
  child.stderr?.on('data', (data) => {
    errors += String(data);
  });
  let killed: string | null = null;
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const { step } = JSON.parse(line) as { step?: string };
    if (killed !== null || !step || step === 'done' || seen.has(step)) continue;
    killed = step;
    child.kill('SIGKILL');
  }
  const [code] = await exited;
  if (killed === null && code !== 0) throw new Error(`it ended with ${code}: ${errors}`);
  return killed;
}

test('killed at every step while the account works, each run continues, and nothing is lost or done twice', async () => {
  const { source, target } = cells;
  let created = 0;
  const seen = new Set<string>();
  for (;;) {
    const { status } = await source.call(shop.account, 'GET', '/shipping'); // 503 from the freeze on
    if (status === 200) {
      await create(source, shop.account);
      created++;
    }
    const step = await killAtNewStep(seen);
    if (step === null) break;
    seen.add(step);
  }
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'prepare',
      'copy',
      'freeze',
      'guard',
      'catch-up',
      'copy-rest',
      'compare',
      'flip',
      'settle',
    ]),
  );
  const ids = [shop.account.id, shop.twin.id];
  const at = { source: await countRows(source.db, ids), target: await countRows(target.db, ids) };
  expect(at.target.shipments).toBe(FILLED + 5 + created);
  for (const table of ['shipments', 'events', 'ledger_entries', 'api_keys', 'invoices', 'members'])
    expect([table, at.target[table]]).toEqual([table, at.source[table]]);
  expect(await brokenForeignKeys(target.db)).toEqual([]);
  expect(await leftovers(target.db)).toEqual([]);
  expect((await target.call(shop.account, 'GET', '/shipping')).status).toBe(200);
  expect(await directory.findMovedCell(shop.account.key)).toBe('Q3');
  const { addressHash } = await findPerson(target.db, 'member', shop.member.email);
  expect(await directory.findCellOf('member', addressHash)).toBe('Q3');
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from pgboss.job where name = 'activate-shipment' and state = 'created'
      and data->>'shipmentId' = ${shop.scheduled}`.execute(target.db);
  expect(rows).toEqual([{ many: 1 }]);
  await workDone(target);
  const delivered = await sql`
    select from webhook_deliveries where account_id = ${shop.account.id} and status = 'delivered'`.execute(target.db);
  const bodies = receiver.to('/live').map(({ body }) => String(body)); // each event once, from one of the two cells
  expect(new Set(bodies).size).toBe(bodies.length);
  expect(bodies.length).toBe(delivered.rows.length);
});
