import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitGross, splitLines } from './vat.ts';

const rates = fc.constantFrom(0, 210, 550, 1_000, 2_000);

test('amounts worked out by hand: 120.00 and 0.03 at 20 %, 10.00 without VAT', () => {
  expect(splitGross(12_000, 2_000)).toEqual({ netCents: 10_000, vatCents: 2_000, roundingCents: 0 });
  expect(splitGross(3, 2_000)).toEqual({ netCents: 3, vatCents: 1, roundingCents: -1 });
  expect(splitGross(1_000, 0)).toEqual({ netCents: 1_000, vatCents: 0, roundingCents: 0 });
});

test('net, VAT of the net amount and at most a cent make the gross amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000_000 }), rates, (gross, rate) => {
      const { netCents, vatCents, roundingCents } = splitGross(gross, rate);
      expect(netCents + vatCents + roundingCents).toBe(gross);
      expect(Math.abs(roundingCents)).toBeLessThanOrEqual(1);
      expect(Math.abs(vatCents * 10_000 - netCents * rate)).toBeLessThanOrEqual(5_000);
    }),
  );
});

test('net amounts of lines add up to the net amount of the invoice, each within a cent', () => {
  const line = fc.record({
    day: fc.constant('2026-10-01'),
    shipments: fc.constant(1),
    grossCents: fc.integer({ min: 1, max: 10_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 31 }), rates, (lines, rate) => {
      const split = splitLines(lines, rate);
      const sum = (key: 'grossCents' | 'netCents') => split.reduce((total, each) => total + each[key], 0);
      expect(sum('netCents')).toBe(splitGross(sum('grossCents'), rate).netCents);
      for (const { grossCents, netCents } of split) {
        expect(netCents).toBeGreaterThanOrEqual(0);
        expect(Math.abs(netCents - (grossCents * 10_000) / (10_000 + rate))).toBeLessThanOrEqual(1);
      }
    }),
  );
});
