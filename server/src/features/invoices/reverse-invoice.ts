import type { Database, Tx } from '../../database/database.ts';
import { readBuyer } from './buyer.ts';
import { issueDocument } from './issue-document.ts';
import type { Issuer } from './issuer.ts';

export type ReversalOutcome =
  | { outcome: 'reversed'; accountId: string; creditNote: string; replacement: string }
  | { outcome: 'unknown' }
  | { outcome: 'credit-note' }
  | { outcome: 'corrected'; by: string };

/**
 * Reverses an invoice with wrong details: a credit note for the whole of it, and a new invoice of the same charges with the
 * present details of seller and buyer. Amounts stay those of the ledger. Money goes back through the ledger only.
 */
export async function reverseAnyInvoice(
  db: Database,
  issuer: Issuer,
  number: string,
  note: string,
  now: Date,
): Promise<ReversalOutcome> {
  return db.transaction().execute(async (tx): Promise<ReversalOutcome> => {
    const invoice = await lockAnyInvoice(tx, number);
    if (!invoice) return { outcome: 'unknown' };
    if (invoice.kind === 'credit_note') return { outcome: 'credit-note' };
    const by = await findCorrection(tx, invoice.accountId, number);
    if (by) return { outcome: 'corrected', by };
    const { accountId, month, lines, paidCents, grossCents, vatBasisPoints } = invoice;
    const content = { accountId, month, lines, issuer: { ...issuer, vatBasisPoints } };
    const buyer = await readBuyer(tx, accountId);
    const replacement = await issueDocument(
      tx,
      { ...content, buyer, reason: 'replacement', replaces: number, paidCents },
      now,
    );
    const original = { party: invoice.buyer, language: buyer.language };
    const reversal = { ...content, buyer: original, issuer: { ...content.issuer, seller: invoice.seller } };
    const creditNote = await issueDocument(
      tx,
      { ...reversal, reason: 'reversal', corrects: number, note, paidCents: grossCents },
      now,
    );
    return { outcome: 'reversed', accountId, creditNote, replacement };
  });
}

const lockAnyInvoice = (tx: Tx, number: string) =>
  tx
    .selectFrom('invoices')
    .select(['account_id as accountId', 'kind', 'month', 'lines', 'buyer', 'seller'])
    .select(['paid_cents as paidCents', 'gross_cents as grossCents', 'vat_basis_points as vatBasisPoints'])
    .where('number', '=', number)
    .forUpdate()
    .executeTakeFirst();

async function findCorrection(tx: Tx, accountId: string, number: string): Promise<string | null> {
  const found = await tx
    .selectFrom('invoices')
    .select('number')
    .where('account_id', '=', accountId)
    .where('corrects', '=', number)
    .executeTakeFirst();
  return found?.number ?? null;
}
