import { expect, test } from 'vitest';
import { Refusal } from '../../refusals/refusal.ts';
import { bucketsOf, requirePeriod } from './period.ts';

const NOW = new Date('2026-03-29T22:30Z'); // 00:30 of the 30th in Paris
const ZONE = 'Europe/Paris';

test('without dates the period is the local today', () => {
  expect(requirePeriod({}, ZONE, NOW)).toEqual({ from: '2026-03-30', to: '2026-03-30' });
});

test('a period ends where it starts, or later, and has at most 366 days', () => {
  expect(requirePeriod({ from: '2026-03-01' }, ZONE, NOW)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
  expect(requirePeriod({ from: '2025-03-30', to: '2026-03-30' }, ZONE, NOW).from).toBe('2025-03-30');
  expect(() => requirePeriod({ from: '2026-03-02', to: '2026-03-01' }, ZONE, NOW)).toThrow(Refusal);
  expect(() => requirePeriod({ from: '2025-03-29', to: '2026-03-30' }, ZONE, NOW)).toThrow(Refusal);
});

test('whole months are one bucket each, the days around them one each', () => {
  expect(bucketsOf({ from: '2026-01-30', to: '2026-04-02' })).toEqual([
    { grain: 'day', start: '2026-01-30' },
    { grain: 'day', start: '2026-01-31' },
    { grain: 'month', start: '2026-02-01' },
    { grain: 'month', start: '2026-03-01' },
    { grain: 'day', start: '2026-04-01' },
    { grain: 'day', start: '2026-04-02' },
  ]);
  expect(bucketsOf({ from: '2026-02-01', to: '2026-02-28' })).toEqual([{ grain: 'month', start: '2026-02-01' }]);
  expect(bucketsOf({ from: '2024-01-02', to: '2024-12-30' })).toHaveLength(30 + 10 + 30);
});
