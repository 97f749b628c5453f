import { type StripeClient, StripeFailure } from '../../adapters/stripe/stripe-client.ts';
import {
  type CheckoutSession,
  type PaymentIntent,
  readCheckoutSession,
  readPaymentIntent,
  readReversal,
} from '../../adapters/stripe/stripe-objects.ts';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { findAnyPayment, type PaymentRow } from './payment-rows.ts';
import { hasFailed, movesMoney, reverse, settleIntent, settleSession } from './settle-payment.ts';

export interface StripeEvent {
  id: string;
  type: string;
  data: { object: unknown };
}

export type EventOutcome = 'applied' | 'repeated' | 'not-ours';

/** Applies an event to its payment, which is locked. */
type Apply = (tx: Tx, payment: PaymentRow) => Promise<void>;

/** The payment of an event by a key of it, and what to do with it. */
interface Target {
  payment: PaymentRow | null;
  apply: Apply;
}

/**
 * Applies one of Stripe's events, of any account, exactly once: the event's id and what it does commit together. Events may
 * come twice, in any order, and about payments of others who share the Stripe account.
 */
export async function handleStripeEvent(
  { db, stripe }: { db: Database; stripe: StripeClient },
  event: StripeEvent,
  now: Date,
): Promise<EventOutcome> {
  const target = await findTarget(db, stripe, event, now);
  if (!target) return 'not-ours'; // a type that this service does not use
  return db.transaction().execute(async (tx): Promise<EventOutcome> => {
    // First: the row of the event shares a lock on its payment, and two events that then want it alone would deadlock.
    const payment = target.payment && (await findAnyPayment(tx, { id: target.payment.id }, true));
    const isNew = await tx
      .insertInto('payment_events')
      .values({ id: event.id, type: event.type, payment_id: payment?.id ?? null, received_at: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!isNew) return 'repeated';
    if (!payment) return 'not-ours';
    await target.apply(tx, payment);
    return 'applied';
  });
}

/** Null for a type of event that this service does not use. Calls Stripe only if money goes back that nobody has announced. */
async function findTarget(
  db: Database,
  stripe: StripeClient,
  { type, data: { object } }: StripeEvent,
  now: Date,
): Promise<Target | null> {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      if (!namesPayment(object)) return null;
      const session = readCheckoutSession(object);
      const isRefused = type === 'checkout.session.async_payment_failed';
      const payment = await findPaymentOfSession(db, session);
      return { payment, apply: (tx, locked) => settleSession(tx, locked, session, now, isRefused) };
    }
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed': {
      // Of Checkout, the session's events are used: a card that is refused there may be followed by another one.
      const intent = readPaymentIntent(object);
      const payment = await findPaymentOfIntent(db, intent);
      const isAutomatic = payment?.method === 'automatic';
      return { payment: isAutomatic ? payment : null, apply: (tx, locked) => settleIntent(tx, locked, intent, now) };
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed': {
      const refund = readReversal(object, 'refund');
      if (!movesMoney(refund)) return null;
      return findReversed(db, stripe, refund.intentId, now, (tx, payment) =>
        reverse(tx, payment, 'refund', refund, hasFailed(refund), now),
      );
    }
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const dispute = readReversal(object, 'dispute');
      const isUndone = type === 'charge.dispute.funds_reinstated';
      return findReversed(db, stripe, dispute.intentId, now, (tx, payment) =>
        reverse(tx, payment, 'dispute', dispute, isUndone, now),
      );
    }
    default:
      return null;
  }
}

/** Sessions of others may have any form: those that store a card have no amount. */
function namesPayment(session: unknown): boolean {
  const { client_reference_id: reference } = (session ?? {}) as { client_reference_id?: unknown };
  return typeof reference === 'string' && isUuid(reference);
}

/**
 * The session names the payment. A second session that names it was not created by this service, nor was one whose metadata
 * does not name payment and account: the reference of a payment link can be chosen by anybody who opens it.
 */
async function findPaymentOfSession(
  db: Database,
  { id, reference, noted }: CheckoutSession,
): Promise<PaymentRow | null> {
  if (reference === null || !isUuid(reference)) return null;
  const payment = await findAnyPayment(db, { id: reference.toLowerCase() });
  if (payment?.method !== 'checkout') return null;
  if (payment.sessionId !== null) return payment.sessionId === id ? payment : null;
  return noted.paymentId === payment.id && noted.accountId === payment.accountId ? payment : null;
}

/** Another PaymentIntent than the one that is known was not created by this service. */
async function findPaymentOfIntent(db: Database, { id, reference }: PaymentIntent): Promise<PaymentRow | null> {
  if (reference === null || !isUuid(reference)) return null;
  const payment = await findAnyPayment(db, { id: reference.toLowerCase() });
  return payment && (payment.intentId === null || payment.intentId === id) ? payment : null;
}

/**
 * A refund or dispute names the PaymentIntent only. If it arrives before the news of the payment itself, Stripe is asked what
 * the intent belongs to, and the payment is credited first.
 */
async function findReversed(
  db: Database,
  stripe: StripeClient,
  intentId: string | null,
  now: Date,
  apply: Apply,
): Promise<Target> {
  if (intentId === null) return { payment: null, apply };
  const known = await findAnyPayment(db, { intentId });
  if (known?.status === 'succeeded') return { payment: known, apply };
  const intent = await stripe.readIntent(intentId).catch((error: unknown) => {
    if (error instanceof StripeFailure && error.status === 404) return null; // of another account
    throw error;
  });
  if (!intent) return { payment: null, apply };
  return {
    payment: known ?? (await findPaymentOfIntent(db, intent)),
    apply: async (tx, locked) => {
      await settleIntent(tx, locked, intent, now);
      await apply(tx, locked);
    },
  };
}
