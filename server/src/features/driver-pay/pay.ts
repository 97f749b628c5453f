import type { Config } from '../../config.ts';
import { asDecimal } from '../ledger/index.ts';

export type PaySettings = Config['driverPay'];

export interface PaidRun {
  /** From the pickup to the recipient; null while a place is unknown, and then it adds nothing. */
  km: number | null;
  weightKg: number;
}

/** With all rates at zero drivers are employees, and nothing about pay is shown. */
export const isPaidByRun = ({ baseCents, perKmCents, perKgCents }: PaySettings): boolean =>
  baseCents > 0 || perKmCents > 0 || perKgCents > 0;

/**
 * The only computation of pay: base, distance, and weight above the free one. Exact, with half a cent rounded up once,
 * at the end: it computes with the decimals that the driver sees, because in binary 1.005 × 700 is less than 703.5.
 */
export function computePay({ km, weightKg }: PaidRun, settings: PaySettings): number {
  const [distance, weight] = [asDecimal(km ?? 0), asDecimal(weightKg)];
  const billed = weight.digits - BigInt(settings.freeKg) * weight.unit;
  const unit = distance.unit * weight.unit;
  const cents =
    BigInt(settings.baseCents) * unit +
    BigInt(settings.perKmCents) * distance.digits * weight.unit +
    (billed > 0n ? BigInt(settings.perKgCents) * billed * distance.unit : 0n);
  return Number((2n * cents + unit) / (2n * unit));
}
