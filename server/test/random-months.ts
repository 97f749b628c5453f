import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { auditInvoices } from '../src/features/invoices/index.ts';
import { crowd } from './crowd.ts';
import { writeCharge, writeCredit, writeRefund } from './write-ledger.ts';

/** Numbers between 0 and 1 that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface OpenCharge {
  accountId: string;
  shipmentId: string;
  cents: number;
}

const FIRST = Date.parse('2026-08-10T00:00:00Z'); // before the first invoiced month
const LAST = Date.parse('2026-11-01T12:00:00Z'); // and a little of the month that has not ended

/**
 * Writers of random entries from August to November, over the change of clocks. Times follow one another, except that clocks
 * differ by up to an hour. Returns when all entries are written.
 */
export async function writeRandomMonths(
  db: Database,
  accounts: string[],
  { entries, writers, random }: { entries: number; writers: number; random: () => number },
): Promise<void> {
  const open: OpenCharge[] = [];
  await crowd(writers, Array.from({ length: entries }), async (_, i) => {
    const accountId = accounts[Math.floor(random() * accounts.length)] as string;
    const at = new Date(FIRST + ((LAST - FIRST) * i) / entries - random() * 3_600_000).toISOString();
    const cents = 1 + Math.floor(random() * 2_000);
    const kind = random();
    const refunded = kind > 0.75 ? open.splice(Math.floor(random() * open.length), 1)[0] : undefined;
    if (refunded) await writeRefund(db, refunded.accountId, refunded.shipmentId, refunded.cents, at);
    else if (kind < 0.1) await writeCredit(db, accountId, cents * 10, at);
    else open.push({ accountId, cents, shipmentId: await writeCharge(db, accountId, cents, at) });
    await setImmediate();
  });
}

/** The same for months that begin with entries from before the first invoiced one, as `writeRandomMonths` writes them. */
export async function expectInvoicesToBeTheLedger(db: Database): Promise<void> {
  expect((await expectDocumentsToBeTheLedger(db)).unbilledCents).toBeGreaterThan(0);
}

/** Compares documents with the ledger, by sums of their own and by the audit. */
export async function expectDocumentsToBeTheLedger(db: Database): Promise<{ unbilledCents: number }> {
  const { rows } = await sql<{
    ledger: number;
    documents: number;
    unbilled: number;
    invoices: number;
    creditNotes: number;
  }>`
    select (select coalesce(sum(-l.amount_cents), 0)::bigint from ledger_entries l
            join billing_periods p on p.account_id = l.account_id and l.entry between p.first_entry and p.last_entry
            where p.is_invoiced and l.kind <> 'credit') as ledger,
           (select sum(case kind when 'invoice' then gross_cents else -gross_cents end)::bigint from invoices) as documents,
           (select sum(unbilled_refund_cents)::bigint from billing_periods) as unbilled,
           (select count(*) from invoices where kind = 'invoice') as invoices,
           (select count(*) from invoices where kind = 'credit_note') as "creditNotes"`.execute(db);
  const sums = rows[0] as (typeof rows)[0];
  expect(sums.ledger).toBe(sums.documents - sums.unbilled);
  expect([sums.invoices > 0, sums.creditNotes > 0]).toEqual([true, true]);

  const { rows: series } = await sql<{ series: string; positions: number[] }>`
    select series, array_agg(position order by position) as positions from invoices group by series`.execute(db);
  for (const { positions } of series) expect(positions).toEqual(positions.map((_, i) => i + 1));
  expect((await auditInvoices(db)).filter(({ broken }) => broken > 0)).toEqual([]);
  return { unbilledCents: sums.unbilled };
}
