import { describe, expect, test } from 'vitest';
import { topOfScale } from './scale.ts';

describe('the upper bound of an axis', () => {
  test.each([
    [0, 2],
    [1, 2],
    [3, 4],
    [7, 8],
    [11, 20],
    [17, 20],
    [260, 300],
    [1_000, 1_000],
  ])('of %i parcels is %i, and its half is a whole number', (value, top) => {
    expect(topOfScale(value, true)).toBe(top);
  });

  test.each([
    [0, 10],
    [6.5, 8],
    [23.4, 25],
    [999.99, 1_000],
  ])('of %f euros is %f', (value, top) => {
    expect(topOfScale(value, false)).toBe(top);
  });
});
