import type { PriceStep } from '@navette/contract';
import type { AccountSettings } from '../accounts/index.ts';
import { toEuros } from '../ledger/index.ts';
import { priceParcel } from '../rates/index.ts';
import { resolveSchedule } from '../slots/index.ts';
import { inEuros } from './quote-shipment.ts';

export interface Charged {
  price: number;
  createdAt: string;
  parcelDetails: { weight: number };
  scheduledDelivery: { date: string | null; timeSlot: string | null };
}

/**
 * How a shipment's price came about: the same computation as when it was created. Null where the account's prices or
 * slots have changed since, so that nothing is told that does not add up to what was charged.
 */
export function explainCharge(charged: Charged, account: AccountSettings, timeZone: string): PriceStep[] | null {
  const { date, timeSlot } = charged.scheduledDelivery;
  const asked = date && timeSlot ? { scheduledDate: date, timeSlot } : {};
  const outcome = resolveSchedule(asked, account.slots, timeZone, new Date(charged.createdAt));
  if (outcome.kind === 'refused') return null;
  const schedule = outcome.kind === 'scheduled' ? outcome.schedule : null;
  const { cents, steps } = priceParcel(charged.parcelDetails.weight, schedule, account);
  return toEuros(cents) === charged.price ? steps.map(inEuros) : null;
}
