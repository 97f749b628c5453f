import type { RateAnswer } from '@navette/contract';
import { asDecimal } from '../ledger/index.ts';
import type { Schedule } from '../slots/index.ts';

export type PricingModel = RateAnswer['rate']['pricingModel'];

export interface Prices {
  minimumPriceCents: number;
  /** Despite its name a flat price, for a parcel of up to 4 kg. Null: the minimum price applies to any weight. */
  pricePerKgCents: number | null;
}

const FLAT_PRICE_COVERS_KG = 4;
const EXTRA_KG_CENTS = 117;
const SCHEDULED_KG_CENTS = 700;
const SCHEDULED_FLOOR_CENTS = 700;
const EARLY_OR_LATE_CENTS = 300;
const WEEKEND_CENTS = 500;
const DAY_STARTS = 9 * 60;
const EVENING_STARTS = 18 * 60;

/** A part of a price, with the figures that explain it. */
export type PriceStep =
  | { step: 'scheduled_weight' | 'extra_weight'; cents: number; weightKg: number; perKgCents: number }
  | { step: 'scheduled_minimum'; cents: number; leastCents: number }
  | { step: 'flat_price'; cents: number; includedKg: number }
  | { step: 'unusual_hour' | 'weekend' | 'minimum_price'; cents: number };

export interface Price {
  cents: number;
  model: PricingModel;
  /** The parts of the price; their cents add up to it. */
  steps: PriceStep[];
}

/** The only price computation: quotes and creations use it. */
export function priceParcel(weightKg: number, schedule: Schedule | null, prices: Prices): Price {
  const { model, steps } = explainPrice(weightKg, schedule, prices);
  return { cents: steps.reduce((sum, { cents }) => sum + cents, 0), model, steps };
}

function explainPrice(weightKg: number, schedule: Schedule | null, prices: Prices): Omit<Price, 'cents'> {
  if (schedule) return { model: 'scheduled_slot', steps: scheduledSteps(weightKg, schedule) };
  if (prices.pricePerKgCents === null) {
    return { model: 'professional_minimum', steps: [{ step: 'minimum_price', cents: prices.minimumPriceCents }] };
  }
  const flat = { step: 'flat_price', cents: prices.pricePerKgCents, includedKg: FLAT_PRICE_COVERS_KG } as const;
  const cents = centsForWeight(weightKg, EXTRA_KG_CENTS, FLAT_PRICE_COVERS_KG);
  if (weightKg <= FLAT_PRICE_COVERS_KG) return { model: 'professional_tiered', steps: [flat] };
  const extraKg = Number((weightKg - FLAT_PRICE_COVERS_KG).toPrecision(12)); // 5.1 - 4 is 1.0999…
  const extra = { step: 'extra_weight', cents, weightKg: extraKg, perKgCents: EXTRA_KG_CENTS } as const;
  return { model: 'professional_tiered', steps: [flat, extra] };
}

function scheduledSteps(weightKg: number, { hours, weekend }: Schedule): PriceStep[] {
  const cents = centsForWeight(weightKg, SCHEDULED_KG_CENTS);
  const missing = SCHEDULED_FLOOR_CENTS - cents;
  const unusualHour = hours.start < DAY_STARTS || hours.start >= EVENING_STARTS;
  const steps: PriceStep[] = [{ step: 'scheduled_weight', cents, weightKg, perKgCents: SCHEDULED_KG_CENTS }];
  if (missing > 0) steps.push({ step: 'scheduled_minimum', cents: missing, leastCents: SCHEDULED_FLOOR_CENTS });
  if (unusualHour) steps.push({ step: 'unusual_hour', cents: EARLY_OR_LATE_CENTS });
  if (weekend) steps.push({ step: 'weekend', cents: WEEKEND_CENTS });
  return steps;
}

/**
 * Cents for the weight above `freeKg`, with half a cent rounded up. Exact: computes with the decimal that was sent,
 * because in binary 1.005 × 700 is slightly less than 703.5 and would round down.
 */
function centsForWeight(weightKg: number, centsPerKg: number, freeKg = 0): number {
  const { digits, unit } = asDecimal(weightKg);
  const billed = digits - BigInt(freeKg) * unit;
  return billed <= 0n ? 0 : Number((2n * billed * BigInt(centsPerKg) + unit) / (2n * unit));
}
