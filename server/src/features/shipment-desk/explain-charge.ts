import type { PriceStep } from '@navette/contract';
import type { AccountSettings } from '../accounts/index.ts';
import { toEuros } from '../ledger/index.ts';
import { priceParcel } from '../rates/index.ts';
import { resolveSchedule } from '../slots/index.ts';
import { inEuros } from './quote-shipment.ts';

export interface ChargedShipment {
  price: number;
  createdAt: string;
  parcelDetails: { weight: number };
  scheduledDelivery: { date: string | null; timeSlot: string | null };
}

/**
 * The steps of a shipment's price, from the computation that charged it. Null when the account's prices or slots have
 * changed since: the steps would not add up to the charge.
 */
export function explainCharge(
  charged: ChargedShipment,
  account: AccountSettings,
  timeZone: string,
): PriceStep[] | null {
  const { date, timeSlot } = charged.scheduledDelivery;
  const asked = date && timeSlot ? { scheduledDate: date, timeSlot } : {};
  const outcome = resolveSchedule(asked, account.slots, timeZone, new Date(charged.createdAt));
  if (outcome.kind === 'refused') return null;
  const schedule = outcome.kind === 'scheduled' ? outcome.schedule : null;
  const { cents, steps } = priceParcel(charged.parcelDetails.weight, schedule, account);
  return toEuros(cents) === charged.price ? steps.map(inEuros) : null;
}
