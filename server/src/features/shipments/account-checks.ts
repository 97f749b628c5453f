import { type Refusal, refusal } from '../../http/refusal.ts';
import { type AccountSettings, amountDueCents } from '../accounts/index.ts';
import { toEuros } from '../ledger/index.ts';

/** What keeps an account from creating anything, in the order in which it is told; null when nothing does. */
export function checkAccount(account: AccountSettings, now: Date): Refusal | null {
  const { clientType, contractVersion } = account;
  if (clientType === null) return refusal('CLIENT_TYPE_REQUIRED', { clientType, contractVersion });
  if (!account.contractSigned) return refusal('CONTRACT_SIGNATURE_REQUIRED', { clientType, contractVersion });
  if (account.pickupAddress === null) return refusal('PICKUP_ADDRESS_REQUIRED');
  if (account.paymentStatus === 'suspended') return refusal('ACCOUNT_SUSPENDED', paymentState(account));
  if (owesPayment(account, now)) return refusal('PAYMENT_REQUIRED', paymentState(account));
  return null;
}

/** Grace ends at its moment, even if nobody has changed the status by then. */
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
