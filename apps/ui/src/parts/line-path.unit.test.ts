import { expect, test } from 'vitest';
import { pathOfLine } from './line-path.ts';

const path = (values: (number | null)[], top = 10) =>
  pathOfLine(
    values.map((line) => ({ line })),
    top,
  );

test('a line goes through the middle of each slot, and the top of the axis is the upper edge', () => {
  expect(path([0, 5, 10])).toBe('M0.5 1L1.5 0.5L2.5 0');
});

test('a day without a measurement interrupts the line, and a single day is a dash', () => {
  expect(path([5, 5, null, 10, null])).toBe('M0.5 0.5L1.5 0.5M3.3 0L3.7 0');
});

test('a value above the axis stays inside the chart', () => {
  expect(path([40, 5])).toBe('M0.5 0L1.5 0.5');
});
