import type { RateAnswer, RateRequest } from '@navette/contract';
import { messageOnly, type Refusal } from '../../refusals/refusal.ts';
import type { AccountSettings } from '../accounts/index.ts';
import { toEuros } from '../ledger/index.ts';
import { resolveSchedule } from '../slots/index.ts';
import { priceParcel } from './price.ts';

export function quoteRate(
  request: RateRequest,
  account: AccountSettings,
  timeZone: string,
  now: Date,
): RateAnswer['rate'] | Refusal {
  const weight = request.weight ?? request.parcelDetails?.weight;
  if (weight === undefined) return messageOnly(400, 'Poids manquant : envoyez weight, en kilogrammes.');
  const outcome = resolveSchedule(request, account.slots, timeZone, now);
  if (outcome.kind === 'refused') return messageOnly(400, outcome.message, outcome.slug);

  const schedule = outcome.kind === 'scheduled' ? outcome.schedule : null;
  const { cents, model } = priceParcel(weight, schedule, account);
  return {
    price: toEuros(cents),
    currency: 'EUR',
    weightInKg: weight,
    minimumPrice: toEuros(account.minimumPriceCents),
    pricePerKg: account.pricePerKgCents === null ? null : toEuros(account.pricePerKgCents),
    pricingModel: model,
    scheduledDelivery: schedule && { date: schedule.date, timeSlot: schedule.label, slotId: schedule.slotId },
  };
}
