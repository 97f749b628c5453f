import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAccountConcurrency } from './account-concurrency.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const tooMany = { status: 429, envelope: { success: false, window: 'minute', message: expect.any(String) } };

/** Which of the promises have settled by now. */
async function settledOf(promises: Promise<unknown>[]): Promise<boolean[]> {
  const settled = promises.map(() => false);
  for (const [i, promise] of promises.entries()) {
    const settle = () => {
      settled[i] = true;
    };
    promise.then(settle, settle);
  }
  await new Promise(setImmediate);
  return settled;
}

test('operations beyond the limit of an account wait in order; other accounts do not wait', async () => {
  const take = createAccountConcurrency({ maxRunning: 2, maxWaiting: 5, waitMs: 1_000 });
  const [first, second] = [await take('a'), await take('a')];
  const waiting = [take('a'), take('a'), take('a')];
  expect(await settledOf([...waiting, take('b')])).toEqual([false, false, false, true]);
  first();
  first(); // a second release has no effect
  expect(await settledOf(waiting)).toEqual([true, false, false]);
  second();
  expect(await settledOf(waiting)).toEqual([true, true, false]);
  for (const release of await Promise.all(waiting.slice(0, 2))) release();
  (await waiting[2])?.();
  const again = [take('a'), take('a'), take('a')];
  expect(await settledOf(again)).toEqual([true, true, false]); // no turn was lost or duplicated
});

test('an operation is refused when too many wait or its wait is too long, and takes no turn', async () => {
  const take = createAccountConcurrency({ maxRunning: 1, maxWaiting: 1, waitMs: 1_000 });
  const release = await take('a');
  const late = take('a').catch((error: unknown) => error);
  await expect(take('a')).rejects.toMatchObject(tooMany);
  vi.advanceTimersByTime(1_000);
  expect(await late).toMatchObject(tooMany);
  release();
  expect(await settledOf([take('a')])).toEqual([true]);
});
