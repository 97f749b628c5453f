import { expect, test } from 'vitest';
import { monthBefore } from './months.ts';

test('months go back and forth over the year', () => {
  expect(monthBefore('2026-01', 1)).toBe('2025-12');
  expect(monthBefore('2026-11', 1)).toBe('2026-10');
  expect(monthBefore('2026-12', -1)).toBe('2027-01');
});
