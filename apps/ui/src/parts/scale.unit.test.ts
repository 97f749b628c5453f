import { describe, expect, test } from 'vitest';
import { highestUsual, topOfScale } from './scale.ts';

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

describe('the highest value that an axis shows', () => {
  const usual = [12, 30, 25, 0, 18, 40, 33];

  test('is the highest one where none stands out', () => {
    expect(highestUsual(usual)).toBe(40);
    expect(highestUsual([...usual, 120])).toBe(120); // three times the next one is still readable
    expect(highestUsual([])).toBe(0);
  });

  test('leaves out one that would flatten all others', () => {
    expect(highestUsual([...usual, 900])).toBe(40);
  });

  test('leaves out as many as one in fifteen, and no more', () => {
    const month = Array.from({ length: 30 }, (_, day) => 10 + (day % 7));
    expect(highestUsual(month.with(3, 900).with(9, 800))).toBe(16);
    expect(highestUsual(month.with(3, 900).with(9, 800).with(12, 700))).toBe(900);
  });

  test('is the highest of a few values: they show no usual height', () => {
    expect(highestUsual([2, 3, 900])).toBe(900);
    expect(highestUsual([0, 0, 0, 0, 0, 0, 2, 900])).toBe(900);
  });
});
