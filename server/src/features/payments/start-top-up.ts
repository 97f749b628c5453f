import { sql } from 'kysely';
import type { StripeClient } from '../../adapters/stripe/stripe-client.ts';
import type { CheckoutSession } from '../../adapters/stripe/stripe-objects.ts';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { SignedInMember } from '../../http/member-authentication.ts';
import { refuseAsNotFound, refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { readAmount, toCents } from '../ledger/index.ts';
import { authorizeMember, recordAct } from '../members/index.ts';
import { readAccountReference } from './account-reference.ts';
import { prepareAutomatic } from './automatic-rows.ts';
import { findAnyPayment, type PaymentRow } from './payment-rows.ts';

const PER_HOUR = 20; // started by one account
const SESSION_MS = 3_600_000; // Stripe allows 30 minutes to 24 hours
const FIRST_CHECK_MS = 120_000; // Stripe's event usually comes within seconds

export interface TopUpContext {
  db: Database;
  stripe: StripeClient;
  config: Pick<Config, 'publicUrl' | 'topUp'>;
}

export interface TopUpRequest {
  amount: number;
  /** Chosen by the app: it becomes the payment's id, and the key with which Stripe recognises a repeated request. */
  requestId: string;
  /** Switches automatic payments on below this balance, with the method of this payment: needs an owner. */
  threshold?: number | undefined;
}

/**
 * Records the payment, then creates Stripe's page for it. A process that dies in between leaves a payment without a page: the
 * same request finds both, since Stripe returns the session it has for the key. Returns the page, or null when the payment is
 * no longer open.
 */
export async function startTopUp(
  { db, stripe, config }: TopUpContext,
  member: SignedInMember,
  { amount, requestId, threshold }: TopUpRequest,
  now: Date,
): Promise<{ id: string; url: string | null }> {
  const amountCents = readTopUpAmount(amount, config.topUp);
  const storesMethod = threshold !== undefined;
  const id = requestId.toLowerCase();
  const { payment, reference } = await db.transaction().execute(async (tx) => {
    await lockOpenAccount(tx, member.accountId);
    const { accountId } = member;
    const actor = await authorizeMember(member, storesMethod ? 'own' : 'pay', now)(tx);
    const isNew = await insertPayment(tx, { id, accountId, amountCents, storesMethod, now });
    if (isNew) await recordAct(tx, accountId, actor, { act: 'top-up-started', subject: `${amount} €` }, now);
    const known = await findAnyPayment(tx, { id });
    // An id of another account, or of another amount, is a mistake of the caller.
    const isSame = known?.accountId === accountId && known.amountCents === amountCents && known.method === 'checkout';
    if (!isSame || (storesMethod && !known.storesMethod)) return refuseAsNotFound();
    // Resuming a payment that stores the method is the same decision as starting it.
    if (known.storesMethod) await authorizeMember(member, 'own', now)(tx);
    if (isNew && threshold !== undefined)
      await prepareAutomatic(
        tx,
        accountId,
        { thresholdCents: readAmount(threshold, 'threshold'), amountCents, paymentId: id },
        now,
      );
    return { payment: known, reference: await readAccountReference(tx, member.accountId) };
  });
  if (payment.status !== 'open') return { id, url: null };
  const session = await createSession(stripe, config.publicUrl, payment, reference ?? '');
  await db
    .updateTable('payments')
    .set({ session_id: session.id })
    .where('id', '=', id)
    .where('session_id', 'is', null)
    .execute();
  return { id, url: session.url };
}

export function readTopUpAmount(amount: number, { lowest, highest }: Config['topUp']): number {
  const cents = toCents(amount);
  if (cents !== null && cents >= lowest * 100 && cents <= highest * 100) return cents;
  return refuseDashboard('TOP_UP_AMOUNT_REFUSED', { minimum: lowest, maximum: highest });
}

/** Locked, so that concurrent requests cannot exceed the number of payments per hour. */
async function lockOpenAccount(tx: Tx, accountId: string): Promise<void> {
  const account = await tx
    .selectFrom('accounts')
    .select('live_account_id as liveAccountId')
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account || account.liveAccountId !== null) refuseDashboard('TOP_UP_UNAVAILABLE');
}

interface NewTopUp {
  id: string;
  accountId: string;
  amountCents: number;
  storesMethod: boolean;
  now: Date;
}

/** False when there is a payment with this id. */
async function insertPayment(tx: Tx, { id, accountId, amountCents, storesMethod, now }: NewTopUp): Promise<boolean> {
  if (await findAnyPayment(tx, { id })) return false;
  const { rows } = await sql<{ started: number }>`
    select count(*) as started from payments
    where account_id = ${accountId} and method = 'checkout'
      and created_at > ${now}::timestamptz - interval '1 hour'`.execute(tx);
  if ((rows[0]?.started ?? 0) >= PER_HOUR) refuseDashboard('TOO_MANY_TOP_UPS');
  const checkAt = new Date(now.getTime() + FIRST_CHECK_MS);
  const values = { id, account_id: accountId, method: 'checkout', status: 'open', amount_cents: amountCents };
  const inserted = await tx
    .insertInto('payments')
    .values({ ...values, stores_method: storesMethod, check_at: checkAt, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Every value follows from the stored payment: Stripe refuses a repeated key with other values. */
function createSession(
  stripe: StripeClient,
  publicUrl: string,
  { id, accountId, amountCents, storesMethod, createdAt }: PaymentRow,
  reference: string,
): Promise<CheckoutSession> {
  const page = `${publicUrl}/dashboard/account/payments?payment=${id}`;
  return stripe.createSession({
    reference: id,
    accountId,
    amountCents,
    title: `Navette ${reference}`,
    successUrl: `${page}&back=done`,
    cancelUrl: `${page}&back=left`,
    expiresAt: new Date(createdAt.getTime() + SESSION_MS),
    storesMethod,
  });
}
