import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computePay, isPaidByRun, type PaySettings } from './pay.ts';

const settings = (changes: Partial<PaySettings> = {}): PaySettings => ({
  baseCents: 350,
  perKmCents: 85,
  perKgCents: 40,
  freeKg: 5,
  ...changes,
});
const NOTHING = settings({ baseCents: 0, perKmCents: 0, perKgCents: 0, freeKg: 0 });

describe('the pay of a run', () => {
  test.each([
    ['the base alone', 0, 5, 350],
    ['base and distance', 2.4, 1, 350 + 204],
    ['base, distance and the weight above the free one', 2.4, 7.5, 350 + 204 + 100],
    ['base and weight, where a place is unknown', null, 7.5, 450],
    ['half a cent more', 0.1, 1, 359], // 8.5 cents
    ['a half in each part, rounded together', 0.1, 5.0125, 359], // 8.5 + 0.5
  ] as const)('is %s', (_name, km, weightKg, cents) => {
    expect(computePay({ km, weightKg }, settings())).toBe(cents);
  });

  test('rounds as on paper, where binary numbers do not', () => {
    const perKg = settings({ baseCents: 0, perKmCents: 0, perKgCents: 700, freeKg: 0 });
    expect(1.005 * 700).toBeLessThan(703.5);
    expect(computePay({ km: null, weightKg: 1.005 }, perKg)).toBe(704);
  });

  test('is nothing for employees, whatever they carry', () => {
    expect(isPaidByRun(NOTHING)).toBe(false);
    expect(isPaidByRun({ ...NOTHING, freeKg: 3 })).toBe(false);
    expect(computePay({ km: 800, weightKg: 300 }, NOTHING)).toBe(0);
  });

  test('is whole cents, within half a cent of the sum of its parts, and never falls with distance or weight', () => {
    const rate = fc.integer({ min: 0, max: 10_000 });
    const paid = fc.record({ baseCents: rate, perKmCents: rate, perKgCents: rate, freeKg: fc.nat(30) });
    const km = fc.nat(5_000).map((hectometres) => hectometres / 10);
    const kg = fc.nat(100_000).map((grams) => grams / 1_000);
    fc.assert(
      fc.property(paid, km, kg, km, kg, (given, distance, weight, further, heavier) => {
        const pay = computePay({ km: distance, weightKg: weight }, given);
        const parts =
          given.baseCents + distance * given.perKmCents + Math.max(0, weight - given.freeKg) * given.perKgCents;
        expect(Number.isInteger(pay)).toBe(true);
        expect(Math.abs(pay - parts)).toBeLessThan(0.5001);
        expect(computePay({ km: distance + further, weightKg: weight + heavier }, given)).toBeGreaterThanOrEqual(pay);
      }),
    );
  });
});
