import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const refuse = () => {
  throw new Error('full');
};

/** Tasks that end when the test resolves them, and the list of started tasks. */
function workbench() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  const endOne = async () => {
    ends.shift()?.();
    await setImmediate();
  };
  return { begun, work, endOne };
}

test('at most the allowed number of tasks runs at once, and every task is done', async () => {
  const inTurn = createFairQueue({ maxRunning: 2, maxCallers: 10, maxPerCaller: 10, refuse });
  let [running, most] = [0, 0];
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      inTurn('a', async () => {
        most = Math.max(most, ++running);
        await setImmediate();
        running--;
        return i;
      }),
    ),
  );
  expect(results).toEqual(Array.from({ length: 12 }, (_, i) => i));
  expect(most).toBe(2);
});

test('callers take turns, however many tasks one of them has', async () => {
  const { begun, work, endOne } = workbench();
  const inTurn = createFairQueue({ maxRunning: 1, maxCallers: 10, maxPerCaller: 10, refuse });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void inTurn('a', work(name));
  for (const name of ['b1', 'b2']) void inTurn('b', work(name));
  void inTurn('c', work('c1'));
  for (let i = 0; i < 7; i++) await endOne();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a caller with too many waiting tasks is refused at once, others are not', async () => {
  const { work, endOne } = workbench();
  const inTurn = createFairQueue({ maxRunning: 1, maxCallers: 2, maxPerCaller: 2, refuse });
  const asked = ['a', 'a', 'a', 'a', 'b', 'c'].map((caller) => inTurn(caller, work(caller)));
  const answers = Promise.allSettled(asked);
  await Promise.all([expect(asked[3]).rejects.toThrow('full'), expect(asked[5]).rejects.toThrow('full')]);
  for (let i = 0; i < 4; i++) await endOne();
  expect((await answers).map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true, false]);
});

test('a task that fails rejects for its caller and frees its place', async () => {
  const inTurn = createFairQueue({ maxRunning: 1, maxCallers: 1, maxPerCaller: 1, refuse });
  const failing = inTurn('a', () => Promise.reject(new Error('broken')));
  const next = inTurn('a', async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
  expect(await inTurn('b', async () => 'done too')).toBe('done too');
});
