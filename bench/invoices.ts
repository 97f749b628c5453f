import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import type { Database } from '../server/src/database/database.ts';
import { closeMonths } from '../server/src/features/invoices/close-month.ts';
import { drawInvoice } from '../server/src/features/invoices/draw.ts';
import { readAnyInvoice } from '../server/src/features/invoices/read-invoices.ts';
import { readStatement } from '../server/src/features/invoices/read-statement.ts';
import { exportLedger } from '../server/src/features/ledger/index.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { createMerchant } from '../server/test/create-merchant.ts';
import { createTestIssuer } from '../server/test/invoicing.ts';
import type { Stack } from './stack.ts';

const ISSUED = new Date('2026-11-02T03:00:00Z');

/**
 * The end of a month of accounts of different sizes. Time by shipment must not grow with the size. The last line draws what is
 * not done: a PDF with a line for each shipment.
 */
export async function benchInvoices(stack: Stack, sizes: readonly number[]): Promise<boolean> {
  const config = readConfig({ ...process.env, ...stack.environment, DATABASE_TIME_LIMIT_SECONDS: '300' });
  const engines = openEngines(config, createLog('warn'));
  console.log('\nInvoices: September and October of one account, by shipments in a month');
  console.log('shipments   closing    PDF           CSV of the month         memory');
  const perShipment: number[] = [];
  for (const size of sizes) {
    const { id } = await createMerchant(engines);
    perShipment.push(await benchAccount(engines.db, id, size));
  }
  const largest = sizes.at(-1) ?? 0;
  await benchLinePerShipment(engines.db, largest);
  await engines.close();
  return (perShipment.at(-1) ?? 0) <= (perShipment[0] ?? 0) * 1.5;
}

async function benchAccount(db: Database, accountId: string, size: number): Promise<number> {
  await fillLedger(db, accountId, size);
  await sql`analyze ledger_entries`.execute(db);
  const memory = watchMemory();
  const closing = performance.now();
  const numbers = await closeMonths(db, createTestIssuer(), accountId, '2026-10', ISSUED);
  const closingMs = performance.now() - closing;
  const invoice = await readAnyInvoice(db, numbers.find((number) => number.startsWith('F')) ?? '');
  if (!invoice) throw new Error('nothing was issued');
  await drawInvoice(invoice); // loads the fonts
  const drawing = performance.now();
  const pdf = await drawInvoice(invoice);
  const drawingMs = performance.now() - drawing;
  const writing = performance.now();
  const csvBytes = await exportMonth(db, accountId);
  const writingMs = performance.now() - writing;
  const megabytes = await memory.stop();
  const cells = [
    size.toLocaleString('en').padStart(9),
    `${closingMs.toFixed(0)} ms`.padStart(8),
    `${drawingMs.toFixed(0)} ms ${(pdf.length / 1_024).toFixed(0)} kB`.padStart(12),
    `${writingMs.toFixed(0)} ms ${(csvBytes / 1_048_576).toFixed(2)} MB`.padStart(18),
    `+${megabytes.toFixed(0)} MB`.padStart(14),
  ];
  console.log(cells.join('  '));
  return closingMs / size;
}

/** Charges of two months. Of each hundred, two are refunded in their month, and one of September's in October. */
async function fillLedger(db: Database, accountId: string, size: number): Promise<void> {
  const month = (start: string, first: number) => sql`
    select ${first} + n as position, gen_random_uuid() as shipment_id, 700 + n % 900 as cents, n,
      ${start}::timestamptz + n * interval '29 days' / ${size} as at
    from generate_series(1, ${size}) n`;
  await sql`
    with charges as (${month('2026-09-01T06:00:00Z', 0)} union all ${month('2026-10-01T06:00:00Z', size)}),
    written as (
      select 'charge' as kind, shipment_id, -cents as cents, at from charges
      union all select 'refund', shipment_id, cents, at + interval '1 minute' from charges where n % 50 = 0
      union all select 'refund', shipment_id, cents, '2026-10-20T10:00:00Z' from charges
        where position <= ${size} and n % 100 = 1
    ), numbered as (select *, row_number() over (order by at, kind) as entry from written)
    insert into ledger_entries (account_id, entry, kind, amount_cents, balance_after_cents, shipment_id, created_at)
    select ${accountId}, entry, kind, cents, sum(cents) over (order by entry), shipment_id, at from numbered`.execute(
    db,
  );
  await sql`
    update account_counters c set last_entry = l.entry, balance_cents = l.balance_after_cents
    from (select entry, balance_after_cents from ledger_entries where account_id = ${accountId} order by entry desc limit 1) l
    where c.account_id = ${accountId}`.execute(db);
}

async function exportMonth(db: Database, accountId: string): Promise<number> {
  const statement = await readStatement(db, accountId, '2026-10');
  if (!statement) throw new Error('October is not closed');
  let bytes = 0;
  for await (const chunk of await exportLedger(db, accountId, statement, 'fr'))
    bytes += Buffer.byteLength(chunk as Buffer);
  return bytes;
}

async function benchLinePerShipment(db: Database, lines: number): Promise<void> {
  const { rows } = await sql<{ number: string }>`
    select number from invoices where kind = 'invoice' order by gross_cents desc limit 1`.execute(db);
  const invoice = await readAnyInvoice(db, rows[0]?.number ?? '');
  const line = invoice?.lines[0];
  if (!invoice || !line) throw new Error('no invoice');
  const memory = watchMemory();
  const started = performance.now();
  const pdf = await drawInvoice({ ...invoice, lines: Array.from({ length: lines }, () => line) });
  const seconds = (performance.now() - started) / 1_000;
  const [megabytes, size] = [await memory.stop(), pdf.length / 1_048_576];
  console.log(
    `A PDF with ${lines.toLocaleString('en')} lines: ${seconds.toFixed(1)} s, ${size.toFixed(1)} MB, memory +${megabytes.toFixed(0)} MB`,
  );
}

/** The highest resident memory above that at the start. */
function watchMemory() {
  const before = process.memoryUsage().rss;
  let highest = before;
  const look = () => {
    highest = Math.max(highest, process.memoryUsage().rss);
  };
  const timer = setInterval(look, 20);
  return {
    async stop(): Promise<number> {
      await setImmediate();
      clearInterval(timer);
      look();
      return (highest - before) / 1_048_576;
    },
  };
}
