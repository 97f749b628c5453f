import type { PriceStep, Quote, QuoteRequest } from '@navette/contract';
import { messageOnly, type Refusal } from '../../refusals/refusal.ts';
import type { AccountSettings } from '../accounts/index.ts';
import { toEuros } from '../ledger/index.ts';
import { type PriceStep as CentsStep, priceParcel } from '../rates/index.ts';
import { checkFunds, findBlocks, refusalOf } from '../shipments/index.ts';
import { resolveSchedule } from '../slots/index.ts';

/** The price that a creation would be charged now, its steps, and every reason for which it would be refused. */
export function quoteShipment(request: QuoteRequest, account: AccountSettings, timeZone: string, now: Date): Quote {
  const outcome = resolveSchedule(request, account.slots, timeZone, now);
  if (outcome.kind === 'refused') throw messageOnly(400, outcome.message, outcome.slug);
  const schedule = outcome.kind === 'scheduled' ? outcome.schedule : null;
  const { cents, model, steps } = priceParcel(request.weight, schedule, account);
  const fundsRefusal = checkFunds(account, cents);
  const refusals = [...findBlocks(account, now), ...(fundsRefusal ? [refusalOf(fundsRefusal)] : [])];
  return {
    price: toEuros(cents),
    pricingModel: model,
    steps: steps.map(inEuros),
    scheduledDelivery: schedule && {
      date: schedule.date,
      timeSlot: schedule.label,
      slotId: schedule.slotId,
      startsAt: schedule.startsAt.toISOString(),
      endsAt: schedule.endsAt.toISOString(),
    },
    balance: toEuros(account.balanceCents),
    balanceAfter: toEuros(account.balanceCents - cents),
    obstacles: refusals.map(toObstacle),
  };
}

export function inEuros({ cents, ...step }: CentsStep): PriceStep {
  const amount = toEuros(cents);
  if ('perKgCents' in step) {
    return { step: step.step, amount, weightKg: step.weightKg, pricePerKg: toEuros(step.perKgCents) };
  }
  if ('leastCents' in step) return { step: step.step, amount, least: toEuros(step.leastCents) };
  return { ...step, amount };
}

function toObstacle({ envelope, dashboardSlug, message }: Refusal): Quote['obstacles'][number] {
  const { success: _no, ...fields } = envelope;
  return { error: (fields.error as string | undefined) ?? dashboardSlug ?? '', message, ...fields };
}
