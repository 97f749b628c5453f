import { expect, test } from 'vitest';
import { instantOf, localTimeOf } from './local-time.ts';

const ZONE = 'Europe/Paris';

test.each([
  ['2026-07-01T18:00', '2026-07-01T16:00:00.000Z'],
  ['2026-12-01T18:00', '2026-12-01T17:00:00.000Z'],
  ['2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
  ['2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
])('%s in Paris is %s, and back', (local, instant) => {
  expect(instantOf(local, ZONE)?.toISOString()).toBe(instant);
  expect(localTimeOf(new Date(instant), ZONE)).toBe(local);
});

test('an hour that occurs twice is the first one, one that does not exist is an hour later', () => {
  expect(instantOf('2026-10-25T02:30', ZONE)?.toISOString()).toBe('2026-10-25T00:30:00.000Z');
  expect(instantOf('2026-03-29T02:30', ZONE)?.toISOString()).toBe('2026-03-29T01:30:00.000Z');
});

test('a field that is not filled in has no instant', () => expect(instantOf('', ZONE)).toBeNull());
