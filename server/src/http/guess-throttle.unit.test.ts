import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { createGuessThrottle, type GuessThrottle } from './guess-throttle.ts';

const WRONG_PER_MINUTE = 30;

let now: Date;
let lookUp: GuessThrottle;
let underWay: number;
let most: number;
beforeEach(() => {
  now = new Date('2026-03-02T10:00:00Z');
  lookUp = createGuessThrottle(WRONG_PER_MINUTE, () => now);
  underWay = 0;
  most = 0;
});

/** Resolves asynchronously, as a database does. */
const answering =
  <T>(answer: T) =>
  async () => {
    most = Math.max(most, ++underWay);
    await setImmediate();
    underWay--;
    return answer;
  };

async function askAtOnce(count: number, find: (i: number) => () => Promise<string | null>, address = '192.0.2.1') {
  const answers = await Promise.allSettled(Array.from({ length: count }, (_, i) => lookUp(address, find(i))));
  return Object.groupBy(answers, (answer) =>
    answer.status === 'rejected' ? 'refused' : answer.value === null ? 'unknown' : 'found',
  );
}

test('hundreds of concurrent look-ups of valid names all succeed, a few at a time', async () => {
  const { found, refused } = await askAtOnce(300, () => answering('label'));
  expect([found?.length, refused]).toEqual([300, undefined]);
  expect(most).toBe(WRONG_PER_MINUTE);
});

test('of a thousand concurrent guesses no more are looked up than of sequential ones', async () => {
  const { unknown, refused } = await askAtOnce(1_000, () => answering(null));
  expect([unknown?.length, refused?.length]).toEqual([WRONG_PER_MINUTE, 1_000 - WRONG_PER_MINUTE]);
  await expect(lookUp('192.0.2.1', answering('label'))).rejects.toMatchObject({ status: 429 });
});

test('failures among valid names reduce the concurrency, and no valid name is refused', async () => {
  const { found, unknown, refused } = await askAtOnce(290, (i) => answering(i % 10 === 0 ? null : 'label'));
  expect([found?.length, unknown?.length, refused]).toEqual([261, 29, undefined]);
  const after = await askAtOnce(3, () => answering(null));
  expect([after.unknown?.length, after.refused?.length]).toEqual([1, 2]);
});

test('another address and the next minute have a full budget', async () => {
  await askAtOnce(WRONG_PER_MINUTE, () => answering(null));
  expect(await lookUp('192.0.2.2', answering('label'))).toBe('label');
  now = new Date(now.getTime() + 60_000);
  expect(await lookUp('192.0.2.1', answering('label'))).toBe('label');
});

test('a look-up that throws does not count as a guess, and releases its turn', async () => {
  const fail = async () => {
    await setImmediate();
    throw new Error('the database is unreachable');
  };
  const { refused } = await askAtOnce(200, () => fail);
  expect(refused?.length).toBe(200);
  expect(await lookUp('192.0.2.1', answering('label'))).toBe('label');
});
