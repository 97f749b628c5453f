import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { type StripeClient, StripeFailure } from '../../adapters/stripe/stripe-client.ts';
import type { Reversal } from '../../adapters/stripe/stripe-objects.ts';
import type { Database, Tx } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import { askAboutEach } from './ask-about-each.ts';
import { findAnyPayment, type PaymentRow } from './payment-rows.ts';
import { hasFailed, movesMoney, reverse } from './settle-payment.ts';

const PER_RUN = 50; // payments, of any account
const AFTER_FAILURE_MS = 600_000;
const DAY_MS = 86_400_000;
/** Days between two questions, by the age of the payment: Stripe refunds for 180 days, and a debit can be disputed for 13 months. */
const PAUSES: [upToDays: number, days: number][] = [
  [7, 1],
  [180, 7],
  [400, 30],
];

export interface ReversalsContext {
  db: Database;
  stripe: StripeClient;
  log: FastifyBaseLogger;
}

/**
 * Looks for refunds and disputes whose event was lost. One request per payment tells whether there are any; their lists are
 * read only then, or where the ledger has some, which may have failed or been won since.
 */
export async function findLostReversals({ db, stripe, log }: ReversalsContext, now: Date): Promise<void> {
  await askAboutEach(await takeAnyDue(db, now), log, async (id) => {
    const payment = await findAnyPayment(db, { id });
    if (!payment) return;
    const reversals = await askStripe(db, stripe, payment);
    await db.transaction().execute(async (tx) => {
      const locked = await findAnyPayment(tx, { id }, true);
      if (!locked) return;
      for (const refund of reversals.refunds.filter(movesMoney))
        await reverse(tx, locked, 'refund', refund, hasFailed(refund), now);
      for (const dispute of reversals.disputes.filter(({ funds }) => funds?.withdrawn))
        await reverse(tx, locked, 'dispute', dispute, dispute.funds?.reinstated === true, now);
      await setNextCheck(tx, locked, now);
    });
  });
}

/** Marked before Stripe is asked: one that always fails does not keep the others waiting. */
async function takeAnyDue(db: Database, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payments set reversals_check_at = ${new Date(now.getTime() + AFTER_FAILURE_MS)}
    where id in (select id from payments p where reversals_check_at <= ${now} and ${servedHere('p.account_id')}
                 order by reversals_check_at limit ${PER_RUN}
                 for update skip locked)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

const NONE: { refunds: Reversal[]; disputes: Reversal[] } = { refunds: [], disputes: [] };

async function askStripe(db: Database, stripe: StripeClient, { id, intentId }: PaymentRow) {
  if (intentId === null) return NONE;
  const intent = await stripe.readIntentAndCharge(intentId).catch((error: unknown) => {
    if (error instanceof StripeFailure && error.status === 404) return null; // of an earlier Stripe account
    throw error;
  });
  if (!intent) return NONE;
  if (intent.hasReversals === false && !(await hasMovedBack(db, id))) return NONE;
  return {
    refunds: await stripe.listReversals('refund', intentId),
    disputes: await stripe.listReversals('dispute', intentId),
  };
}

async function hasMovedBack(db: Database, paymentId: string): Promise<boolean> {
  const movement = await db
    .selectFrom('payment_movements')
    .select('entry')
    .where('payment_id', '=', paymentId)
    .where('kind', '<>', 'received')
    .limit(1)
    .executeTakeFirst();
  return movement !== undefined;
}

async function setNextCheck(tx: Tx, { id, createdAt }: PaymentRow, now: Date): Promise<void> {
  const age = now.getTime() - createdAt.getTime();
  const pause = PAUSES.find(([upToDays]) => age < upToDays * DAY_MS)?.[1];
  const next = pause === undefined ? null : new Date(now.getTime() + pause * DAY_MS);
  await tx.updateTable('payments').set({ reversals_check_at: next }).where('id', '=', id).execute();
}
