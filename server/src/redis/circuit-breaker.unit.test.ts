import { expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

test('opens after three failures in a row, and lets one probe per second pass until one succeeds', () => {
  let at = 0;
  const breaker = createCircuitBreaker(() => at);
  breaker.recordFailure();
  breaker.recordFailure();
  breaker.recordSuccess();
  breaker.recordFailure();
  breaker.recordFailure();
  expect(breaker.permits()).toBe(true);
  breaker.recordFailure();
  expect(breaker.permits()).toBe(false);
  at += 999;
  expect(breaker.permits()).toBe(false);
  at += 1;
  expect([breaker.permits(), breaker.permits()]).toEqual([true, false]);
  breaker.recordFailure();
  at += 1_000;
  expect(breaker.permits()).toBe(true);
  breaker.recordSuccess();
  expect([breaker.permits(), breaker.permits()]).toEqual([true, true]);
});
