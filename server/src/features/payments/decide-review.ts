import type { Database } from '../../database/database.ts';
import { refuseConsole, refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { recordOperatorAct, requireStaff, type SignedInStaff } from '../staff/index.ts';
import { sumDecidedAlone, type TransferRules } from './record-as-staff.ts';
import {
  accountOf,
  creditableCents,
  creditReviewed,
  describeReview,
  lockAnyReviewed,
  rejectReviewed,
} from './review-rows.ts';

export interface ReviewDecision {
  id: string;
  /** The amount that the person saw. */
  receivedCents: number;
  /** True: what Stripe received is credited. False: nothing is, and the operator returns the money at Stripe. */
  approve: boolean;
  reason: string;
}

/**
 * Ends the review of a payment in the name of a staff member. Above the limit of one person and day, crediting waits for a
 * second one, as a transfer does.
 */
export async function decideReview(
  db: Database,
  staff: SignedInStaff,
  { id, receivedCents, approve, reason }: ReviewDecision,
  { limitCents, timeZone }: TransferRules,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, 'money', now);
    const payment = (await lockAnyReviewed(tx, id)) ?? refuseAsNotFound();
    if (payment.status !== 'review' || payment.receivedCents !== receivedCents)
      return refuseConsole('CHANGED_MEANWHILE', {});
    const record = (act: `payment.review_${'settled' | 'rejected' | 'proposed'}`) =>
      recordOperatorAct(tx, actor, { act, subject: accountOf(payment), reason, details: describeReview(payment) }, now);
    if (!approve) {
      await rejectReviewed(tx, payment, actor.id, now);
      await record('payment.review_rejected');
      return;
    }
    const cents = creditableCents(payment) ?? refuseNotPossible('not_in_euros');
    if ((await sumDecidedAlone(tx, actor.id, timeZone, now)) + cents > limitCents) {
      const state = { status: 'waiting', recorded_by: actor.id, updated_at: now };
      await tx.updateTable('payments').set(state).where('id', '=', id).execute();
      await record('payment.review_proposed');
      return;
    }
    await creditReviewed(tx, payment, cents, { recorded_by: actor.id }, now);
    await record('payment.review_settled');
  });
}
