import { sql } from 'kysely';
import { addDays, localDay } from '../../calendar/local-calendar.ts';
import { thisCell } from '../../cells/this-cell.ts';
import type { Tx } from '../../database/database.ts';
import type { Buyer } from './buyer.ts';
import type { Issuer } from './issuer.ts';
import { type GrossLine, splitGross, splitLines } from './vat.ts';

interface DocumentContent {
  accountId: string;
  month: string;
  lines: GrossLine[];
  buyer: Buyer;
  issuer: Issuer;
  /** Paid when the month ended, by the ledger. */
  paidCents: number;
}

export type NewDocument = DocumentContent &
  (
    | { reason: 'monthly' }
    | { reason: 'replacement'; replaces: string }
    | { reason: 'refunds'; corrects: string }
    | { reason: 'reversal'; corrects: string; note: string }
  );

const DIGITS = 6;

/**
 * Takes the next number of the series and inserts the document, which never changes afterwards. The row of the series stays
 * locked until the transaction ends: a transaction that fails leaves no gap. Callers issue invoices before credit notes,
 * so that two transactions lock both series in one order.
 */
export async function issueDocument(tx: Tx, document: NewDocument, now: Date): Promise<string> {
  const { issuer, buyer, month, paidCents, reason } = document;
  const isCreditNote = reason === 'refunds' || reason === 'reversal';
  const lines = splitLines(document.lines, issuer.vatBasisPoints);
  const grossCents = lines.reduce((sum, line) => sum + line.grossCents, 0);
  const split = splitGross(grossCents, issuer.vatBasisPoints);
  const { series, position, issuedOn } = await takeNumber(tx, isCreditNote, localDay(now, issuer.timeZone));
  const number = `${series}-${String(position).padStart(DIGITS, '0')}`;
  await tx
    .insertInto('invoices')
    .values({
      account_id: document.accountId,
      number,
      series,
      position,
      kind: isCreditNote ? 'credit_note' : 'invoice',
      reason,
      month,
      corrects: 'corrects' in document ? document.corrects : null,
      replaces: 'replaces' in document ? document.replaces : null,
      note: 'note' in document ? document.note : null,
      issued_on: sql`${issuedOn}::date`,
      issued_at: now,
      due_on: paidCents === grossCents ? null : sql`${addDays(issuedOn, issuer.paymentDays)}::date`,
      language: buyer.language,
      seller: JSON.stringify(issuer.seller),
      buyer: JSON.stringify(buyer.party),
      lines: JSON.stringify(lines),
      vat_basis_points: issuer.vatBasisPoints,
      net_cents: split.netCents,
      vat_cents: split.vatCents,
      rounding_cents: split.roundingCents,
      gross_cents: grossCents,
      paid_cents: paidCents,
    })
    .execute();
  await tx.insertInto('invoice_notices').values({ account_id: document.accountId, number }).execute();
  if (issuer.handsOver) {
    const outbox = { account_id: document.accountId, number, state: 'waiting', attempts: 0 };
    await tx
      .insertInto('invoice_handovers')
      .values({ ...outbox, attempt_at: now, created_at: now })
      .execute();
  }
  return number;
}

/** A series per year. Dates of a series never go back, also when the clocks of two processes differ. */
async function takeNumber(tx: Tx, isCreditNote: boolean, today: string) {
  const series = `${isCreditNote ? 'A' : 'F'}${today.slice(0, 4)}${thisCell() ?? ''}`; // each cell numbers its own
  const { rows } = await sql<{ position: number; issuedOn: string }>`
    insert into invoice_series as s (series, last_number, last_issued_on) values (${series}, 1, ${today}::date)
    on conflict (series) do update
    set last_number = s.last_number + 1, last_issued_on = greatest(s.last_issued_on, excluded.last_issued_on)
    returning last_number as position, last_issued_on::text as "issuedOn"`.execute(tx);
  return { series, ...(rows[0] as { position: number; issuedOn: string }) };
}
