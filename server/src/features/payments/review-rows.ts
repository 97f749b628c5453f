import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { credit } from './settle-payment.ts';

export interface ReviewedPayment {
  id: string;
  accountId: string;
  /** The account's name. */
  account: string;
  status: string;
  amountCents: number;
  receivedCents: number | null;
  receivedCurrency: string | null;
}

/** Locks the payment, of any account. */
export async function lockAnyReviewed(tx: Tx | Database, id: string): Promise<ReviewedPayment | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<ReviewedPayment>`
    select p.id, p.account_id as "accountId", a.name as account, p.status, p.amount_cents as "amountCents",
      p.received_cents as "receivedCents", p.received_currency as "receivedCurrency"
    from payments p join accounts a on a.id = p.account_id where p.id = ${id} for update of p`.execute(tx);
  return rows[0] ?? null;
}

/** Only euros can be credited. */
export const creditableCents = ({ receivedCents, receivedCurrency }: ReviewedPayment): number | null =>
  receivedCurrency === 'eur' && receivedCents !== null && receivedCents > 0 ? receivedCents : null;

/**
 * Credits what was received. The job looks for refunds at once: one that came during the review found nothing to take back.
 */
export async function creditReviewed(
  tx: Tx | Database,
  payment: Pick<ReviewedPayment, 'id' | 'accountId'>,
  cents: number,
  by: { recorded_by: string | null } | { decided_by: string },
  now: Date,
): Promise<void> {
  await credit(tx, payment, cents, now);
  await tx
    .updateTable('payments')
    .set({ ...by, reviewed_at: now, reversals_check_at: now })
    .where('id', '=', payment.id)
    .execute();
}

export async function rejectReviewed(
  tx: Tx | Database,
  { id }: Pick<ReviewedPayment, 'id'>,
  decidedBy: string | null,
  now: Date,
): Promise<void> {
  const state = { status: 'rejected', decided_by: decidedBy, updated_at: now };
  await tx.updateTable('payments').set(state).where('id', '=', id).execute();
}

/** For the log of acts. */
export const describeReview = ({ id, amountCents, receivedCents, receivedCurrency }: ReviewedPayment) => ({
  payment: id,
  amountCents,
  receivedCents,
  receivedCurrency,
});

export const accountOf = ({ accountId, account }: Pick<ReviewedPayment, 'accountId' | 'account'>) => ({
  type: 'account',
  id: accountId,
  title: account,
});
