import type { RateAnswer } from '@navette/contract';
import type { Schedule } from '../slots/index.ts';

export type PricingModel = RateAnswer['rate']['pricingModel'];

export interface Prices {
  minimumPriceCents: number;
  /** In spite of its name a flat price, for a parcel of up to 4 kg. Null: the minimum price applies to any weight. */
  pricePerKgCents: number | null;
}

const FLAT_PRICE_COVERS_KG = 4n;
const EXTRA_KG_CENTS = 117n;
const SCHEDULED_KG_CENTS = 700n;
const SCHEDULED_FLOOR_CENTS = 700;
const EARLY_OR_LATE_CENTS = 300;
const WEEKEND_CENTS = 500;
const DAY_STARTS = 9 * 60;
const EVENING_STARTS = 18 * 60;

/** The one computation: what a quote shows is what a creation bills. */
export function priceParcel(
  weightKg: number,
  schedule: Schedule | null,
  prices: Prices,
): { cents: number; model: PricingModel } {
  if (schedule) return { cents: scheduledPrice(weightKg, schedule), model: 'scheduled_slot' };
  if (prices.pricePerKgCents === null) return { cents: prices.minimumPriceCents, model: 'professional_minimum' };
  const extra = centsForWeight(weightKg, EXTRA_KG_CENTS, FLAT_PRICE_COVERS_KG);
  return { cents: prices.pricePerKgCents + extra, model: 'professional_tiered' };
}

function scheduledPrice(weightKg: number, { hours, weekend }: Schedule): number {
  const base = Math.max(SCHEDULED_FLOOR_CENTS, centsForWeight(weightKg, SCHEDULED_KG_CENTS));
  const unusualHour = hours.start < DAY_STARTS || hours.start >= EVENING_STARTS;
  return base + (unusualHour ? EARLY_OR_LATE_CENTS : 0) + (weekend ? WEEKEND_CENTS : 0);
}

/**
 * Cents for the weight above `freeKg`, half a cent rounded up. Exact: the weight is taken as the decimal that was
 * sent, since in binary 1.005 × 700 falls just short of 703.5 and would round the wrong way.
 */
function centsForWeight(weightKg: number, centsPerKg: bigint, freeKg = 0n): number {
  const { digits, unit } = asDecimal(weightKg);
  const billed = digits - freeKg * unit;
  return billed <= 0n ? 0 : Number((2n * billed * centsPerKg + unit) / (2n * unit));
}

/** The shortest decimal that reads back as this number, as digits / unit. */
function asDecimal(value: number): { digits: bigint; unit: bigint } {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return shift >= 0 ? { digits: digits * 10n ** BigInt(shift), unit: 1n } : { digits, unit: 10n ** BigInt(-shift) };
}
