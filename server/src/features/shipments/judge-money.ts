import type { AccountSettings } from '../accounts/index.ts';

export type Unpaid =
  | { kind: 'insufficient-balance'; balanceCents: number; priceCents: number }
  | { kind: 'over-credit-limit' };

type Means = Pick<AccountSettings, 'paymentMode' | 'balanceCents' | 'creditLimitCents'>;

/** Why the account cannot pay this price with what it has; null when it can. */
export function judgeMoney(account: Means, priceCents: number): Unpaid | null {
  const { paymentMode, balanceCents } = account;
  if (balanceCents - priceCents >= lowestBalance(account)) return null;
  return paymentMode === 'prepaid'
    ? { kind: 'insufficient-balance', balanceCents, priceCents }
    : { kind: 'over-credit-limit' };
}

function lowestBalance({ paymentMode, creditLimitCents }: Means): number {
  if (paymentMode === 'prepaid') return 0;
  return creditLimitCents === null ? Number.NEGATIVE_INFINITY : -creditLimitCents;
}
