import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareResult } from './share-result.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('concurrent calls and calls within the interval share one computation', async () => {
  const ends: ((value: string) => void)[] = [];
  const read = shareResult(1_000, () => new Promise<string>((resolve) => ends.push(resolve)));
  const first = [read(), read()];
  vi.advanceTimersByTime(60_000); // during a long computation the next caller waits for the same one
  first.push(read());
  expect(ends).toHaveLength(1);
  ends[0]?.('first');
  expect(await Promise.all(first)).toEqual(['first', 'first', 'first']);

  vi.advanceTimersByTime(1_000);
  expect(await read()).toBe('first');
  vi.advanceTimersByTime(1);
  const second = read();
  expect(ends).toHaveLength(2);
  ends[1]?.('second');
  expect(await second).toBe('second');
});

test('a failure is shared like a result, then retried', async () => {
  const compute = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('away')).mockResolvedValue('back');
  const read = shareResult(1_000, compute);
  await expect(read()).rejects.toThrow('away');
  await expect(read()).rejects.toThrow('away');
  expect(compute).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_001);
  expect(await read()).toBe('back');
});
