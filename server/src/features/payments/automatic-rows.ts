import type { Payments } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { toEuros } from '../ledger/index.ts';

export interface AutomaticSettings {
  thresholdCents: number;
  amountCents: number;
}

const NO_NEXT = { next_payment_id: null, next_threshold_cents: null, next_amount_cents: null };

/**
 * Switched on when the payment that stores the method is confirmed: top-up-accounts.handler.ts. Until then a method that is
 * in use stays in use.
 */
export async function prepareAutomatic(
  tx: Tx,
  accountId: string,
  { thresholdCents, amountCents, paymentId }: AutomaticSettings & { paymentId: string },
  now: Date,
): Promise<void> {
  const next = { next_payment_id: paymentId, next_threshold_cents: thresholdCents, next_amount_cents: amountCents };
  const replaced = await tx
    .updateTable('automatic_top_ups')
    .set(next)
    .where('account_id', '=', accountId)
    .where('state', '=', 'on')
    .returning('account_id')
    .executeTakeFirst();
  if (replaced) return;
  const values = {
    state: 'pending',
    threshold_cents: thresholdCents,
    amount_cents: amountCents,
    first_payment_id: paymentId,
    customer_id: null,
    method_id: null,
    off_reason: null,
    changed_at: now,
    ...NO_NEXT,
  };
  await tx
    .insertInto('automatic_top_ups')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

interface StoredMethod {
  customerId: string;
  methodId: string;
}

/** The first payment has ended. `method` is null when it was not paid. */
export async function endFirstPayment(
  db: Database,
  accountId: string,
  paymentId: string,
  method: StoredMethod | null,
  now: Date,
): Promise<void> {
  const values = method
    ? { state: 'on', customer_id: method.customerId, method_id: method.methodId }
    : { state: 'off', off_reason: 'not_paid' };
  await db
    .updateTable('automatic_top_ups')
    .set({ ...values, changed_at: now })
    .where('account_id', '=', accountId)
    .where('first_payment_id', '=', paymentId) // unless the owner has started another one meanwhile
    .where('state', '=', 'pending')
    .execute();
}

/** The payment that stores another method has ended. `method` is null when it was not paid: the present one stays. */
export async function endReplacement(
  db: Database,
  accountId: string,
  paymentId: string,
  method: StoredMethod | null,
  now: Date,
): Promise<void> {
  await db
    .updateTable('automatic_top_ups')
    .$if(method !== null, (query) =>
      query.set((eb) => ({
        state: 'on',
        customer_id: method?.customerId ?? null,
        method_id: method?.methodId ?? null,
        threshold_cents: eb.fn.coalesce('next_threshold_cents', 'threshold_cents'),
        amount_cents: eb.fn.coalesce('next_amount_cents', 'amount_cents'),
        first_payment_id: paymentId,
        off_reason: null,
        changed_at: now,
      })),
    )
    .set(NO_NEXT)
    .where('account_id', '=', accountId)
    .where('next_payment_id', '=', paymentId) // unless the owner has started another one, or stopped, meanwhile
    .execute();
}

/** False when it is not switched on. It stays so since when it was: a payment under way may still fail, and end it. */
export async function changeAutomatic(
  tx: Tx,
  accountId: string,
  { thresholdCents, amountCents }: AutomaticSettings,
): Promise<boolean> {
  const changed = await tx
    .updateTable('automatic_top_ups')
    .set({ threshold_cents: thresholdCents, amount_cents: amountCents })
    .set((eb) => ({
      next_threshold_cents: eb.case().when('next_payment_id', 'is', null).then(null).else(thresholdCents).end(),
      next_amount_cents: eb.case().when('next_payment_id', 'is', null).then(null).else(amountCents).end(),
    }))
    .where('account_id', '=', accountId)
    .where('state', '=', 'on')
    .returning('account_id')
    .executeTakeFirst();
  return changed !== undefined;
}

/**
 * Forgets the method. `reason` is null when a member stops it, which also ends the replacement of the method; the service
 * goes on with another method that is confirmed later. False when it is off already.
 */
export async function stopAutomatic(
  tx: Tx,
  accountId: string,
  reason: NonNullable<Payments['automatic']>['offReason'],
  now: Date,
): Promise<boolean> {
  const stopped = await tx
    .updateTable('automatic_top_ups')
    .set({ state: 'off', customer_id: null, method_id: null, off_reason: reason, changed_at: now })
    .$if(reason === null, (query) => query.set(NO_NEXT))
    .where('account_id', '=', accountId)
    .where((eb) =>
      eb.or([eb('state', '<>', 'off'), ...(reason === null ? [eb('next_payment_id', 'is not', null)] : [])]),
    )
    .returning('account_id')
    .executeTakeFirst();
  return stopped !== undefined;
}

export async function readAutomatic(db: Database, accountId: string): Promise<Payments['automatic']> {
  const row = await db
    .selectFrom('automatic_top_ups')
    .select(['state', 'threshold_cents', 'amount_cents', 'off_reason', 'next_payment_id'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  type Automatic = NonNullable<Payments['automatic']>;
  return {
    state: row.state as Automatic['state'],
    threshold: toEuros(row.threshold_cents),
    amount: toEuros(row.amount_cents),
    offReason: row.off_reason as Automatic['offReason'],
    isReplacing: row.next_payment_id !== null,
  };
}
