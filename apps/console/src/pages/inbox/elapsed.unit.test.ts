import { expect, test } from 'vitest';
import { elapsedSince } from './elapsed.ts';

const NOW = '2026-03-04T12:00:00.000Z';

test.each([
  ['2026-03-04T11:59:30.000Z', 'minutes', 0, '00'],
  ['2026-03-04T11:01:00.000Z', 'minutes', 59, '59'],
  ['2026-03-04T08:55:00.000Z', 'hours', 3, '05'],
  ['2026-03-02T11:00:00.000Z', 'days', 2, '00'],
  ['2026-03-04T12:00:10.000Z', 'minutes', 0, '00'], // another clock is a little ahead
])('since %s is %s %s', (since, unit, count, minutes) => {
  expect(elapsedSince(since, NOW)).toEqual({ unit, count, minutes });
});
