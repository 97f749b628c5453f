import { beforeEach, expect, test } from 'vitest';
import { createFailedAttempts, type FailedAttempts } from './failed-attempts.ts';

const ADDRESS = '192.0.2.1';
let now: Date;
let attempts: FailedAttempts;
beforeEach(() => {
  now = new Date('2026-03-02T10:00:30Z');
  attempts = createFailedAttempts(3, () => now);
});

test('each address has its own attempts per minute', () => {
  for (const left of [2, 1, 0]) {
    expect(attempts.take(ADDRESS)).not.toBeNull();
    expect(attempts.left(ADDRESS)).toBe(left);
  }
  expect(attempts.take(ADDRESS)).toBeNull();
  expect(attempts.exhausted(ADDRESS)).toBe(true);
  expect(attempts.left('192.0.2.2')).toBe(3);
});

test('the addresses of an IPv6 /64 share one budget, and so do both notations of an IPv4 address', () => {
  for (const host of [1, 2, 3]) attempts.take(`2001:db8::${host}`);
  expect(attempts.take('2001:db8::4')).toBeNull();
  expect(attempts.exhausted('2001:db8:0:1::1')).toBe(false);
  attempts.take('::ffff:192.0.2.1');
  expect(attempts.left(ADDRESS)).toBe(2);
});

test('a reverted attempt can be taken again', () => {
  const revert = [1, 2, 3].map(() => attempts.take(ADDRESS));
  revert[1]?.();
  expect(attempts.left(ADDRESS)).toBe(1);
});

test('an attempt that is reverted in the next minute does not add to that minute’s budget', () => {
  const revert = attempts.take(ADDRESS);
  now = new Date('2026-03-02T10:01:00Z');
  attempts.take(ADDRESS);
  revert?.();
  expect(attempts.left(ADDRESS)).toBe(2);
});
