import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { createNameGuard, type NameGuard } from './name-guard.ts';

const WRONG_PER_MINUTE = 30;

let now: Date;
let lookUp: NameGuard;
let underWay: number;
let most: number;
beforeEach(() => {
  now = new Date('2026-03-02T10:00:00Z');
  lookUp = createNameGuard(WRONG_PER_MINUTE, () => now);
  underWay = 0;
  most = 0;
});

/** As a database would: some time later, whatever else is asked meanwhile. */
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

test('hundreds of right names asked for at once are all found, a few at a time', async () => {
  const { found, refused } = await askAtOnce(300, () => answering('label'));
  expect([found?.length, refused]).toEqual([300, undefined]);
  expect(most).toBe(WRONG_PER_MINUTE);
});

test('of a thousand guesses at once as many are looked up as one after the other would be', async () => {
  const { unknown, refused } = await askAtOnce(1_000, () => answering(null));
  expect([unknown?.length, refused?.length]).toEqual([WRONG_PER_MINUTE, 1_000 - WRONG_PER_MINUTE]);
  await expect(lookUp('192.0.2.1', answering('label'))).rejects.toMatchObject({ status: 429 });
});

test('wrong names among right ones leave fewer look-ups, and none of the right ones is refused', async () => {
  const { found, unknown, refused } = await askAtOnce(290, (i) => answering(i % 10 === 0 ? null : 'label'));
  expect([found?.length, unknown?.length, refused]).toEqual([261, 29, undefined]);
  const after = await askAtOnce(3, () => answering(null));
  expect([after.unknown?.length, after.refused?.length]).toEqual([1, 2]);
});

test('another address and the next minute start anew', async () => {
  await askAtOnce(WRONG_PER_MINUTE, () => answering(null));
  expect(await lookUp('192.0.2.2', answering('label'))).toBe('label');
  now = new Date(now.getTime() + 60_000);
  expect(await lookUp('192.0.2.1', answering('label'))).toBe('label');
});

test('a look-up that fails is no wrong name, and its turn goes on to the next', async () => {
  const fail = async () => {
    await setImmediate();
    throw new Error('the database is away');
  };
  const { refused } = await askAtOnce(200, () => fail);
  expect(refused?.length).toBe(200);
  expect(await lookUp('192.0.2.1', answering('label'))).toBe('label');
});
