import { describe, expect, test } from 'vitest';
import { lastMonths, monthRange } from './months.ts';

describe('months', () => {
  test('go back over the turn of the year, even from the 31st', () => {
    expect(lastMonths(3, new Date(2026, 0, 31))).toEqual(['2026-01', '2025-12', '2025-11']);
  });

  test('a month runs to its last day, in a leap year too', () => {
    expect(monthRange('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(monthRange('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  });

  test('no month is no bound', () => {
    expect(monthRange(null)).toEqual({});
  });
});
