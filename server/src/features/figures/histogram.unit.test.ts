import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addCounts, bucketOf, type Counts, quantileOf } from './histogram.ts';

const histogramOf = (times: number[]): Counts => {
  const histogram: Counts = {};
  for (const seconds of times) addCounts(histogram, { [bucketOf(seconds)]: 1 });
  return histogram;
};
const exactQuantile = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1] as number;

const someTimes = fc.array(fc.double({ min: 11, max: 1_000_000, noNaN: true }), { minLength: 1, maxLength: 200 });

describe('a histogram of times', () => {
  test('reports p50 and p95 within 2.5 % of the exact ones', () => {
    fc.assert(
      fc.property(someTimes, fc.constantFrom(0.5, 0.95), (times, share) => {
        const exact = exactQuantile(times, share);
        const reported = quantileOf(histogramOf(times), share) as number;
        // Whole seconds are reported: half a second more or less.
        expect(Math.abs(reported - exact)).toBeLessThanOrEqual(0.025 * exact + 0.5);
      }),
    );
  });

  test('of two days is the sum of both, in any order', () => {
    fc.assert(
      fc.property(someTimes, someTimes, (one, other) => {
        const [sum, reversed] = [histogramOf(one), histogramOf(other)];
        addCounts(sum, histogramOf(other));
        addCounts(reversed, histogramOf(one));
        expect(sum).toEqual(histogramOf([...one, ...other]));
        expect(reversed).toEqual(sum);
      }),
    );
  });

  test('without runs has no quantile', () => {
    expect(quantileOf({}, 0.5)).toBeNull();
  });

  test('counts times of clocks that differ, and those of weeks', () => {
    expect([bucketOf(-3), bucketOf(0), bucketOf(10), bucketOf(11), bucketOf(1e9)]).toEqual([0, 0, 0, 2, 250]);
  });
});
