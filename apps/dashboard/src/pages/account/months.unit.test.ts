import { describe, expect, test } from 'vitest';
import { lastMonths, monthRange } from './months.ts';

describe('months', () => {
  test('cross the turn of the year, even from the 31st', () => {
    expect(lastMonths(3, new Date('2026-01-31T12:00:00Z'), 'Europe/Paris')).toEqual(['2026-01', '2025-12', '2025-11']);
  });

  test('begin with the current month in the time zone of the service, not of the browser', () => {
    const newYear = new Date('2025-12-31T23:30:00Z');
    expect(lastMonths(1, newYear, 'Europe/Paris')).toEqual(['2026-01']);
    expect(lastMonths(1, newYear, 'America/Martinique')).toEqual(['2025-12']);
    expect(lastMonths(1, newYear, 'Indian/Reunion')).toEqual(['2026-01']);
  });

  test('a range ends on the last day of the month, in a leap year too', () => {
    expect(monthRange('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(monthRange('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  });

  test('without a month there is no range', () => {
    expect(monthRange(null)).toEqual({});
  });
});
