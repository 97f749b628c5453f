import { sql } from 'kysely';
import { localDay, monthAfter, monthBefore, startOfMonth } from '../../calendar/local-calendar.ts';
import type { Database, Tx } from '../../database/database.ts';
import { type EarlierRefunds, type EntryRange, grossOf, sumCharges, sumEarlierRefunds } from './bill-entries.ts';
import { type Buyer, readBuyer } from './buyer.ts';
import { findCurrentInvoice } from './current-invoice.ts';
import { issueDocument } from './issue-document.ts';
import type { Issuer } from './issuer.ts';

/** The latest month that has ended. */
export const lastEndedMonth = (now: Date, timeZone: string): string => monthBefore(localDay(now, timeZone).slice(0, 7));

/**
 * Closes the ended months of an account up to this one, oldest first, each in a transaction of its own. Returns the numbers
 * of the documents. Repeated or concurrent calls issue nothing twice: a month, and a range of entries, exists once.
 */
export async function closeMonths(
  db: Database,
  issuer: Issuer,
  accountId: string,
  until: string,
  now: Date,
): Promise<string[]> {
  const numbers: string[] = [];
  for (;;) {
    const closed = await db.transaction().execute((tx) => closeNextMonth(tx, issuer, accountId, until, now));
    if (!closed) return numbers;
    numbers.push(...closed);
  }
}

/** Null when there is no further month to close. */
async function closeNextMonth(
  tx: Tx,
  issuer: Issuer,
  accountId: string,
  until: string,
  now: Date,
): Promise<string[] | null> {
  const next = await findNextRange(tx, issuer, accountId);
  if (!next || next.month > until) return null;
  const { month, isInvoiced, ...range } = next;
  if (!isInvoiced) {
    await insertPeriod(tx, range, { month, isInvoiced, unbilledRefundCents: 0, now });
    return [];
  }
  const [charges, refunds] = [
    await sumCharges(tx, range, issuer.timeZone),
    await sumEarlierRefunds(tx, range, issuer.timeZone),
  ];
  const unbilled = refunds.filter((each) => !each.isInvoiced);
  const unbilledRefundCents = unbilled.reduce((sum, { lines }) => sum + grossOf(lines), 0);
  const closingCents = await insertPeriod(tx, range, { month, isInvoiced, unbilledRefundCents, now });
  // A concurrent call closed this month. It has committed: the next turn goes on after it.
  if (closingCents === null) return [];
  const buyer = await readBuyer(tx, accountId);
  const content = { accountId, month, issuer, buyer };
  const numbers: string[] = [];
  if (charges.length > 0) {
    const paidCents = paidOf(grossOf(charges), closingCents);
    numbers.push(await issueDocument(tx, { ...content, reason: 'monthly', lines: charges, paidCents }, now));
  }
  for (const each of refunds.filter(({ isInvoiced }) => isInvoiced)) {
    numbers.push(await creditRefunds(tx, content, each, now));
  }
  return numbers;
}

/** Payments settle the oldest charges first: what the balance lacks at the end of the month is due for the latest ones. */
const paidOf = (grossCents: number, closingCents: number): number =>
  grossCents - Math.min(grossCents, Math.max(0, -closingCents));

async function creditRefunds(
  tx: Tx,
  content: { accountId: string; month: string; issuer: Issuer; buyer: Buyer },
  { month, lines }: EarlierRefunds,
  now: Date,
): Promise<string> {
  const corrects = await findCurrentInvoice(tx, content.accountId, month);
  // The ledger has credited the amount already.
  return issueDocument(tx, { ...content, reason: 'refunds', corrects, lines, paidCents: grossOf(lines) }, now);
}

interface NextRange extends EntryRange {
  month: string;
  isInvoiced: boolean;
}

/**
 * The entries after the last closed range, up to the end of their month. Entries become visible in the order of their numbers
 * and never change, so the range needs no lock. Their times may be slightly out of order, when clocks differ: an entry
 * dated in a month that is closed belongs to the next one.
 */
async function findNextRange(tx: Tx, issuer: Issuer, accountId: string): Promise<NextRange | null> {
  const { firstMonth, timeZone } = issuer;
  const { rows } = await sql<{ firstEntry: number; lastMonth: string | null; at: Date }>`
    select e.entry as "firstEntry", p.month as "lastMonth", e.created_at as at
    from (select ${accountId}::uuid as account_id) a
    left join lateral (
      select month, last_entry from billing_periods where account_id = a.account_id order by first_entry desc limit 1
    ) p on true
    join ledger_entries e on e.account_id = a.account_id and e.entry = coalesce(p.last_entry, 0) + 1`.execute(tx);
  const [next] = rows;
  if (!next) return null;
  const { firstEntry, lastMonth, at } = next;
  const dated = localDay(at, timeZone).slice(0, 7);
  const isInvoiced = lastMonth !== null || dated >= firstMonth;
  const month = isInvoiced ? latest(dated, lastMonth ? monthAfter(lastMonth) : firstMonth) : monthBefore(firstMonth);
  const end = await firstEntrySince(tx, accountId, startOfMonth(monthAfter(month), timeZone));
  return { accountId, firstEntry, lastEntry: Math.max(firstEntry, end - 1), month, isInvoiced };
}

const latest = (a: string, b: string) => (a > b ? a : b);

async function firstEntrySince(tx: Tx, accountId: string, at: Date): Promise<number> {
  const { rows } = await sql<{ entry: number }>`select first_entry_since(${accountId}, ${at}) as entry`.execute(tx);
  return rows[0]?.entry ?? 1;
}

interface PeriodFacts {
  month: string;
  isInvoiced: boolean;
  unbilledRefundCents: number;
  now: Date;
}

/** Returns the balance after the period; null when it exists already. */
async function insertPeriod(tx: Tx, range: EntryRange, { month, isInvoiced, unbilledRefundCents, now }: PeriodFacts) {
  const { accountId, firstEntry, lastEntry } = range;
  const { rows } = await sql<{ closingCents: number }>`
    insert into billing_periods (account_id, month, first_entry, last_entry, is_invoiced, opening_cents, closing_cents,
      unbilled_refund_cents, closed_at)
    select ${accountId}, ${month}, ${firstEntry}, ${lastEntry}, ${isInvoiced}, f.balance_after_cents - f.amount_cents,
      l.balance_after_cents, ${unbilledRefundCents}, ${now}
    from ledger_entries f join ledger_entries l on l.account_id = f.account_id and l.entry = ${lastEntry}
    where f.account_id = ${accountId} and f.entry = ${firstEntry}
    on conflict do nothing
    returning closing_cents as "closingCents"`.execute(tx);
  return rows[0]?.closingCents ?? null;
}
