import type { CheckoutSession, PaymentIntent, Reversal } from '../../adapters/stripe/stripe-objects.ts';
import type { Database, Tx } from '../../database/database.ts';
import { moveMoney } from './move-money.ts';
import type { PaymentRow } from './payment-rows.ts';

/*
 * States of a payment online. Stripe's events come in any order and more than once, so a state never goes back:
 *
 *   open ──► processing ──► succeeded        (processing: a SEPA debit, which the bank confirms after days)
 *     │          └────────► failed
 *     ├──► expired
 *     └──► succeeded
 *
 * Money that arrived wins over every other news: failed or expired becomes succeeded. Refunds and disputes do not change the
 * state, they are movements of their own. A received amount that is not the one asked for is not credited: `review`, from which
 * a person leads to `succeeded` or `rejected`, over `waiting` where a second one must agree (decide-review.ts).
 */
const BEFORE = {
  processing: ['open', 'processing'], // sets the time of the next question again
  failed: ['open', 'processing'],
  expired: ['open'],
} as const;

const FIRST_REVERSALS_CHECK_MS = 86_400_000; // events of refunds and disputes come within minutes, and rarely on the day of the payment
const PROCESSING_CHECK_MS = 6 * 3_600_000; // banks confirm debits once a day

/** Applies what Stripe says about a Checkout session. The payment is locked, and the session is its own. */
export async function settleSession(
  tx: Tx,
  payment: PaymentRow,
  session: CheckoutSession,
  now: Date,
  hasFailed = false,
): Promise<void> {
  const ids = { session_id: session.id, ...(session.intentId ? { intent_id: session.intentId } : {}) };
  await tx.updateTable('payments').set(ids).where('id', '=', payment.id).execute();
  if (session.isPaid) {
    if (isContradicted(session, payment)) return review(tx, payment, session, now, 'metadata_mismatch');
    return receive(tx, payment, session, now);
  }
  if (hasFailed) return advance(tx, payment, 'failed', now, 'debit_failed');
  if (session.status === 'expired') return advance(tx, payment, 'expired', now);
  if (session.status === 'complete') return advance(tx, payment, 'processing', now);
}

/** Applies what Stripe says about a PaymentIntent of this payment. */
export async function settleIntent(tx: Tx, payment: PaymentRow, intent: PaymentIntent, now: Date): Promise<void> {
  await tx.updateTable('payments').set({ intent_id: intent.id }).where('id', '=', payment.id).execute();
  if (intent.status === 'succeeded')
    return receive(tx, payment, { amountCents: intent.receivedCents, currency: intent.currency }, now);
  if (intent.status === 'processing') return advance(tx, payment, 'processing', now);
  if (hasEnded(intent, payment)) return advance(tx, payment, 'failed', now, intent.error ?? 'debit_failed');
}

/** Nobody is there to confirm an automatic payment, so one that waits for a person has failed. */
const hasEnded = ({ status }: PaymentIntent, { method }: PaymentRow): boolean =>
  status === 'requires_payment_method' ||
  status === 'canceled' ||
  (status === 'requires_action' && method === 'automatic');

/** Whether the session says that it belongs to another payment or account. One without these notes is of an earlier release. */
const isContradicted = ({ noted }: CheckoutSession, { id, accountId }: PaymentRow): boolean =>
  (noted.paymentId !== null && noted.paymentId !== id) || (noted.accountId !== null && noted.accountId !== accountId);

/** A refund or dispute takes money back; a refund that fails, or a dispute that is won, returns it. */
export async function reverse(
  tx: Tx,
  payment: PaymentRow,
  kind: 'refund' | 'dispute',
  { id, amountCents, currency }: Reversal,
  isUndone: boolean,
  now: Date,
): Promise<void> {
  // Money that was not credited, such as a wrong amount, is not taken back either.
  if (currency !== 'eur' || !(await wasReceived(tx, payment))) return;
  // The event of the return may come first: then both are written, and the late one finds its movement.
  await moveMoney(tx, payment, { kind, reference: `${kind}:${id}`, amountCents }, now);
  const undone = kind === 'refund' ? 'refund_failed' : 'dispute_won';
  if (isUndone) await moveMoney(tx, payment, { kind: undone, reference: `${undone}:${id}`, amountCents }, now);
}

/** A refund that waits for the merchant's bank details moves nothing yet. */
export const movesMoney = (refund: Reversal): boolean =>
  refund.status === 'pending' || refund.status === 'succeeded' || hasFailed(refund);
export const hasFailed = ({ status }: Reversal): boolean => status === 'failed' || status === 'canceled';

async function wasReceived(tx: Tx, { id }: PaymentRow): Promise<boolean> {
  const received = await tx
    .selectFrom('payment_movements')
    .select('entry')
    .where('payment_id', '=', id)
    .where('reference', '=', 'received')
    .executeTakeFirst();
  return received !== undefined;
}

const DECIDED_BY_PEOPLE = new Set<PaymentRow['status']>(['review', 'waiting', 'rejected']);

interface ReceivedMoney {
  amountCents: number;
  currency: string;
}

async function receive(tx: Tx, payment: PaymentRow, received: ReceivedMoney, now: Date): Promise<void> {
  const { amountCents, currency } = received;
  const isExpected = amountCents === payment.amountCents && currency === 'eur';
  if (!isExpected) return review(tx, payment, received, now, 'amount_mismatch');
  // A person decides about it, or has rejected it: then the money is on its way back.
  if (DECIDED_BY_PEOPLE.has(payment.status)) return review(tx, payment, received, now, 'received_again');
  await credit(tx, payment, amountCents, now);
}

/** Credits the payment once, whatever its state was. */
export async function credit(
  tx: Tx | Database,
  payment: Pick<PaymentRow, 'id' | 'accountId'>,
  amountCents: number,
  now: Date,
): Promise<void> {
  await moveMoney(tx, payment, { kind: 'received', reference: 'received', amountCents }, now);
  await tx
    .updateTable('payments')
    .set({ status: 'succeeded', failure: null, check_at: null, updated_at: now })
    .set({ reversals_check_at: new Date(now.getTime() + FIRST_REVERSALS_CHECK_MS) })
    .where('id', '=', payment.id)
    .where('status', '<>', 'succeeded')
    .execute();
}

/** Nothing changes when this money is known: a person may have decided about it meanwhile. */
async function review(
  tx: Tx,
  payment: PaymentRow,
  { amountCents, currency }: ReceivedMoney,
  now: Date,
  failure: string,
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ status: 'review', failure, check_at: null, updated_at: now })
    .set({ received_cents: amountCents, received_currency: currency, recorded_by: null, decided_by: null })
    .where('id', '=', payment.id)
    .where('status', '<>', 'succeeded')
    .where((eb) =>
      eb.or([
        eb('received_cents', 'is distinct from', amountCents),
        eb('received_currency', 'is distinct from', currency),
        eb('status', 'not in', [...DECIDED_BY_PEOPLE]),
      ]),
    )
    .execute();
}

export async function advance(
  tx: Tx,
  payment: Pick<PaymentRow, 'id' | 'status'>,
  status: keyof typeof BEFORE,
  now: Date,
  failure: string | null = null,
): Promise<void> {
  const checkAt = status === 'processing' ? new Date(now.getTime() + PROCESSING_CHECK_MS) : null;
  await tx
    .updateTable('payments')
    .set({ status, failure, check_at: checkAt, updated_at: now })
    .where('id', '=', payment.id)
    .where('status', 'in', BEFORE[status])
    .execute();
}
