import { expect, test } from 'vitest';
import { latestEnd, periodOf, presetOf } from './periods.ts';

test('presets are local days, over months and years', () => {
  expect(periodOf('last7', '2026-03-03')).toEqual({ from: '2026-02-25', to: '2026-03-03' });
  expect(periodOf('lastMonth', '2026-01-15')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(periodOf('month', '2026-01-15')).toEqual({ from: '2026-01-01', to: '2026-01-15' });
});

test('a period is recognised as its preset, the shortest name first', () => {
  expect(presetOf({ from: '2026-03-01', to: '2026-03-01' }, '2026-03-01')).toBe('today');
  expect(presetOf({ from: '2026-03-01', to: '2026-03-02' }, '2026-03-09')).toBeNull();
});

test('the longest period ends after 366 days', () => {
  expect(latestEnd('2025-03-30', 366)).toBe('2026-03-30');
});
