import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveSchedule, type Schedule } from '../slots/index.ts';
import { type PriceStep, type Prices, priceParcel } from './price.ts';

const WEDNESDAY = '2026-03-04';
const SATURDAY = '2026-03-07';
const SUNDAY = '2026-03-08';
const LONG_AGO = new Date('2000-01-01T00:00:00Z');

const tiered: Prices = { minimumPriceCents: 850, pricePerKgCents: 690 };
const minimum: Prices = { minimumPriceCents: 850, pricePerKgCents: null };

function slot(scheduledDate: string, timeSlot: string): Schedule {
  const outcome = resolveSchedule({ scheduledDate, timeSlot }, [], 'Europe/Paris', LONG_AGO);
  if (outcome.kind !== 'scheduled') throw new Error(`${scheduledDate} ${timeSlot} is ${outcome.kind}`);
  return outcome.schedule;
}

describe('express with a price per kg', () => {
  test.each([
    [0.001, 690],
    [1, 690],
    [3.999, 690],
    [4, 690],
    [4.001, 690], // 0.117 cents more
    [4.004, 690], // 0.468
    [4.005, 691], // 0.585
    [5, 807],
    [5.5, 866], // 175.5 cents more, half up
    [10, 1392],
    [100_000, 690 + 99_996 * 117],
  ])('%d kg cost %d cents: flat up to 4 kg, then 1.17 EUR per kg, pro rata', (weight, cents) => {
    expect(priceParcel(weight, null, tiered)).toMatchObject({ cents, model: 'professional_tiered' });
  });

  test('the flat price is never multiplied by the weight, and the minimum price is no floor', () => {
    expect(priceParcel(2, null, { minimumPriceCents: 850, pricePerKgCents: 100 }).cents).toBe(100);
    expect(priceParcel(2, null, { minimumPriceCents: 850, pricePerKgCents: 0 }).cents).toBe(0);
  });
});

describe('express without a price per kg', () => {
  test.each([0.001, 1, 4, 5, 100_000])('%d kg cost the minimum price', (weight) => {
    expect(priceParcel(weight, null, minimum)).toMatchObject({ cents: 850, model: 'professional_minimum' });
  });
});

describe('a slot', () => {
  test.each([
    [0.001, 700],
    [0.5, 700],
    [1, 700],
    [1.001, 701], // 700.7
    [1.005, 704], // 703.5 exactly, although 1.005 × 700 is less in binary
    [1.0007, 700], // 700.49
    [1.15, 805], // 1.15 × 700 is 804.99… in binary
    [2, 1400],
    [2.5, 1750],
    [100_000, 70_000_000],
  ])('%d kg cost %d cents: 7 EUR per kg, at least 7 EUR', (weight, cents) => {
    expect(priceParcel(weight, slot(WEDNESDAY, '14h-16h'), tiered)).toMatchObject({ cents, model: 'scheduled_slot' });
  });

  test.each([
    ['0h-1h', 300],
    ['8h-10h', 300],
    ['8h59-12h', 300],
    ['9h-12h', 0],
    ['9h01-12h', 0],
    ['12h-20h', 0],
    ['17h59-20h', 0],
    ['18h-20h', 300],
    ['18h01-20h', 300],
    ['23h-23h59', 300],
  ])('%s adds %d cents: its start alone counts', (hours, surcharge) => {
    expect(priceParcel(1, slot(WEDNESDAY, hours), tiered).cents).toBe(700 + surcharge);
  });

  test.each([
    ['2026-03-06', 0],
    [SATURDAY, 500],
    [SUNDAY, 500],
    ['2026-03-09', 0],
    ['2026-03-29', 500], // clocks go forward
    ['2026-10-25', 500], // clocks go back
  ])('%s adds %d cents: only Saturday and Sunday do', (date, surcharge) => {
    expect(priceParcel(1, slot(date, '14h-16h'), tiered).cents).toBe(700 + surcharge);
  });

  test('both surcharges add up, after the floor', () => {
    expect(priceParcel(0.1, slot(SUNDAY, '18h-20h'), tiered).cents).toBe(700 + 300 + 500);
    expect(priceParcel(3, slot(SATURDAY, '8h-9h'), tiered).cents).toBe(2100 + 300 + 500);
  });

  test('the account’s own prices are not used', () => {
    expect(priceParcel(5, slot(WEDNESDAY, '14h-16h'), { minimumPriceCents: 9_999, pricePerKgCents: null }).cents).toBe(
      3500,
    );
  });

  test('a timestamp late in the evening falls on the next day of the service’s zone', () => {
    expect(priceParcel(1, slot('2026-03-06T23:30:00Z', '14h-16h'), tiered).cents).toBe(700 + 500);
  });
});

describe('the steps of a price', () => {
  test('a light parcel in a slot pays the minimum price, then the surcharges for hour and day', () => {
    expect(priceParcel(0.5, slot(SUNDAY, '18h-20h'), tiered).steps).toEqual([
      { step: 'scheduled_weight', cents: 350, weightKg: 0.5, perKgCents: 700 },
      { step: 'scheduled_minimum', cents: 350, leastCents: 700 },
      { step: 'unusual_hour', cents: 300 },
      { step: 'weekend', cents: 500 },
    ]);
  });

  test('a heavy express parcel pays the flat price and every kilogram above it', () => {
    expect(priceParcel(5.1, null, tiered).steps).toEqual([
      { step: 'flat_price', cents: 690, includedKg: 4 },
      { step: 'extra_weight', cents: 129, weightKg: 1.1, perKgCents: 117 },
    ]);
    expect(priceParcel(4, null, tiered).steps).toEqual([{ step: 'flat_price', cents: 690, includedKg: 4 }]);
  });

  test('without a price per kg there is one step', () => {
    expect(priceParcel(50, null, minimum).steps).toEqual([{ step: 'minimum_price', cents: 850 }]);
  });
});

/** The amount of a step, recomputed from the figures that explain it. */
const byItsFigures = (step: PriceStep): number => ('weightKg' in step ? step.weightKg * step.perKgCents : step.cents);

describe('any parcel', () => {
  /** A weight as people write it, so that the oracle can work on its digits. */
  const weightText = fc
    .tuple(fc.oneof(fc.nat(12), fc.nat(99_999)), fc.stringMatching(/^\d{1,9}$/))
    .map(([whole, fraction]) => `${whole}.${fraction}`)
    .filter((text) => Number(text) > 0);
  const hours = fc.tuple(fc.nat(1438), fc.nat(1438)).map(([a, b]) => [Math.min(a, b), Math.max(a, b) + 1] as const);
  const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true });
  const cents = fc.nat(1_000_000);
  const prices = fc.record({ minimumPriceCents: cents, pricePerKgCents: fc.option(cents) });
  const clock = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;

  test('10,000 random parcels cost what written arithmetic gives', () => {
    const parcel = fc.record({ weightText, prices, when: fc.option(fc.record({ day, hours })) });
    fc.assert(
      fc.property(parcel, ({ weightText, prices, when }) => {
        const schedule =
          when && slot(when.day.toISOString().slice(0, 10), `${clock(when.hours[0])}-${clock(when.hours[1])}`);
        const { cents, model, steps } = priceParcel(Number(weightText), schedule, prices);
        expect({ cents, model }).toEqual(onPaper(weightText, when, prices));
        expect(steps.reduce((sum, step) => sum + step.cents, 0)).toBe(cents);
        for (const step of steps) expect(Math.abs(step.cents - byItsFigures(step))).toBeLessThanOrEqual(0.500001);
      }),
      { numRuns: 10_000 },
    );
  });

  test('10,000 random numbers, however long: within half a cent of the exact amount, and heavier is never cheaper', () => {
    const weight = fc.double({ min: 0, max: 100_000, minExcluded: true, noNaN: true });
    const afternoon = slot(WEDNESDAY, '14h-16h');
    fc.assert(
      fc.property(weight, weight, (a, b) => {
        for (const schedule of [afternoon, null]) {
          const [light, heavy] = [Math.min(a, b), Math.max(a, b)].map((kg) => priceParcel(kg, schedule, tiered).cents);
          expect(light).toBeLessThanOrEqual(heavy ?? 0);
        }
        expect(Math.abs(priceParcel(a, afternoon, tiered).cents - Math.max(700, a * 700))).toBeLessThan(0.5 + 1e-6);
        expect(Number.isSafeInteger(priceParcel(a, null, tiered).cents)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });

  interface When {
    day: Date;
    hours: readonly [number, number];
  }

  /** The rules once more, on written digits: micrograms, long multiplication, and the first digit cut off decides. */
  function onPaper(weight: string, when: When | null, { minimumPriceCents, pricePerKgCents }: Prices) {
    const [whole = '', fraction = ''] = weight.split('.');
    const micrograms = BigInt(whole + fraction.padEnd(9, '0'));
    if (when) {
      const surcharge = (when.hours[0] <= 539 || when.hours[0] > 1079 ? 300 : 0) + (isWeekend(when.day) ? 500 : 0);
      const base = times(micrograms, 700);
      return { cents: Math.max(base, 700) + surcharge, model: 'scheduled_slot' };
    }
    if (pricePerKgCents === null) return { cents: minimumPriceCents, model: 'professional_minimum' };
    const beyond = micrograms - 4_000_000_000n;
    return { cents: pricePerKgCents + (beyond > 0n ? times(beyond, 117) : 0), model: 'professional_tiered' };
  }

  function times(micrograms: bigint, centsPerKg: number): number {
    const digits = String(micrograms * BigInt(centsPerKg)).padStart(10, '0');
    return Number(digits.slice(0, -9)) + ('56789'.includes(digits.at(-9) ?? '') ? 1 : 0);
  }

  const isWeekend = (day: Date) => ['Sat', 'Sun'].includes(day.toUTCString().slice(0, 3));
});
