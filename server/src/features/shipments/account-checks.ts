import { type Refusal, refusal } from '../../http/refusal.ts';
import { type AccountSettings, amountDueCents } from '../accounts/index.ts';
import { toEuros } from '../ledger/index.ts';

/** What keeps an account from creating anything, in the order in which it is told; null when nothing does. */
export function checkAccount(account: AccountSettings, now: Date): Refusal | null {
  return findBlocks(account, now).next().value ?? null;
}

/** Everything that keeps an account from creating, in that order: creations are told the first, people all of them. */
export function* findBlocks(account: AccountSettings, now: Date): Generator<Refusal, undefined> {
  const { clientType, contractVersion } = account;
  if (clientType === null) yield refusal('CLIENT_TYPE_REQUIRED', { clientType, contractVersion });
  if (!account.contractSigned) yield refusal('CONTRACT_SIGNATURE_REQUIRED', { clientType, contractVersion });
  if (account.pickupAddress === null) yield refusal('PICKUP_ADDRESS_REQUIRED');
  if (account.paymentStatus === 'suspended') yield refusal('ACCOUNT_SUSPENDED', paymentState(account));
  if (owesPayment(account, now)) yield refusal('PAYMENT_REQUIRED', paymentState(account));
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
