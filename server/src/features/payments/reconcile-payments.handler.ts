import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { StripeClient } from '../../adapters/stripe/stripe-client.ts';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import { askAboutEach } from './ask-about-each.ts';
import { findLostReversals } from './find-lost-reversals.ts';
import { findAnyPayment, type PaymentRow } from './payment-rows.ts';
import { advance, settleIntent, settleSession } from './settle-payment.ts';

const PER_RUN = 50; // payments asked about in a minute
const AGAIN_MS = 600_000;
const SESSION_ENDED_MS = 2 * 3_600_000; // a page that nobody was shown has expired by then
const EVENTS_KEPT_DAYS = 90;

export interface ReconcileContext {
  db: Database;
  /** Null when payments online are switched off. */
  stripe: StripeClient | null;
  log: FastifyBaseLogger;
}

/**
 * Asks Stripe about payments, of any account, whose event did not come: an endpoint that was down for longer than Stripe
 * retries must not lose money. Each payment is asked about every ten minutes, a debit under way every six hours. Refunds and disputes whose
 * event was lost follow.
 */
export async function reconcilePayments({ db, stripe, log }: ReconcileContext, now: Date): Promise<number> {
  await purgeEvents(db, now);
  if (!stripe) return 0;
  const { asked, isUnreachable } = await askAboutEach(await takeAnyDue(db, now), log, (id) =>
    reconcile(db, stripe, id, now),
  );
  if (!isUnreachable) await findLostReversals({ db, stripe, log }, now);
  return asked;
}

/** Marks them as asked about before it asks, so that one that always fails does not keep the others waiting. */
async function takeAnyDue(db: Database, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payments set check_at = ${new Date(now.getTime() + AGAIN_MS)}
    where id in (select id from payments p where check_at <= ${now} and ${servedHere('p.account_id')} order by check_at limit ${PER_RUN}
                 for update skip locked)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

async function reconcile(db: Database, stripe: StripeClient, id: string, now: Date): Promise<void> {
  const payment = await findAnyPayment(db, { id });
  if (!payment) return;
  const apply = await askStripe(stripe, payment, now);
  await db.transaction().execute(async (tx) => {
    const locked = await findAnyPayment(tx, { id }, true);
    if (locked) await apply(tx, locked);
  });
}

type Apply = (tx: Parameters<typeof settleSession>[0], payment: PaymentRow) => Promise<void>;

async function askStripe(stripe: StripeClient, payment: PaymentRow, now: Date): Promise<Apply> {
  if (payment.method === 'automatic') {
    // Without an intent the job that takes automatic payments repeats its request.
    const intent = payment.intentId && (await stripe.readIntent(payment.intentId));
    return (tx, locked) => (intent ? settleIntent(tx, locked, intent, now) : Promise.resolve());
  }
  if (payment.sessionId === null) {
    const hasEnded = now.getTime() - payment.createdAt.getTime() > SESSION_ENDED_MS;
    return (tx, locked) => (hasEnded ? advance(tx, locked, 'expired', now) : Promise.resolve());
  }
  const session = await stripe.readSession(payment.sessionId);
  // The session does not tell a debit under way from one that failed; its PaymentIntent does.
  const intent =
    session.status === 'complete' && !session.isPaid && session.intentId
      ? await stripe.readIntent(session.intentId)
      : null;
  return async (tx, locked) => {
    await settleSession(tx, locked, session, now);
    if (intent) await settleIntent(tx, locked, intent, now);
  };
}

const purgeEvents = (db: Database, now: Date) =>
  sql`delete from payment_events where received_at < ${now}::timestamptz - make_interval(days => ${EVENTS_KEPT_DAYS})`.execute(
    db,
  );
