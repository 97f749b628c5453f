import { type Refusal, refusal } from '../../refusals/refusal.ts';
import { type AccountSettings, amountDueCents } from '../accounts/index.ts';
import { toEuros } from '../ledger/index.ts';

/** The first reason why an account may not create shipments; null when there is none. */
export function checkAccount(account: AccountSettings, now: Date): Refusal | null {
  return findBlocks(account, now).next().value ?? null;
}

/** All reasons why an account may not create shipments, in order. A creation reports the first, the dashboard all. */
export function* findBlocks(account: AccountSettings, now: Date): Generator<Refusal, undefined> {
  const { clientType, contractVersion } = account;
  if (clientType === null) yield refusal('CLIENT_TYPE_REQUIRED', { clientType, contractVersion });
  if (!account.contractSigned) yield refusal('CONTRACT_SIGNATURE_REQUIRED', { clientType, contractVersion });
  if (account.pickupAddress === null) yield refusal('PICKUP_ADDRESS_REQUIRED');
  if (account.paymentStatus === 'suspended') yield refusal('ACCOUNT_SUSPENDED', paymentState(account));
  if (owesPayment(account, now)) yield refusal('PAYMENT_REQUIRED', paymentState(account));
}

/** The grace period ends on time, even if nobody has changed the status by then. */
function owesPayment({ paymentStatus, gracePeriodEndsAt }: AccountSettings, now: Date): boolean {
  if (paymentStatus === 'payment_required') return true;
  return paymentStatus === 'grace' && gracePeriodEndsAt !== null && gracePeriodEndsAt <= now;
}

function paymentState(account: AccountSettings) {
  return {
    amountDue: toEuros(amountDueCents(account)),
    paymentStatus: account.paymentStatus,
    gracePeriodEndsAt: account.gracePeriodEndsAt?.toISOString() ?? null,
  };
}
