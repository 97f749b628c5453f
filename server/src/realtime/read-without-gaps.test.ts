import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { readWithoutGaps } from './read-without-gaps.ts';

const connect = () => new Redis(readConfig().redisUrl);
const stream = `navette-test:${randomUUID()}`;
const writer = connect();
beforeAll(() => writer.xadd(stream, '1-1', 'text', 'before'));
afterAll(async () => {
  await writer.del(stream);
  writer.disconnect();
});

describe('a reader of a stream from now on', () => {
  test.each([
    ['that has entries', stream],
    ['that does not exist yet', `${stream}:new`],
  ])('%s misses no entry that is written between two reads', async (_name, name) => {
    const reader = readWithoutGaps(connect(), name);
    const read = () => reader.xread('COUNT', 100, 'BLOCK', 1, 'STREAMS', name, '$');
    expect(await read()).toBe(null);
    const id = await writer.xadd(name, '*', 'text', 'between');
    expect(await read()).toEqual([[name, [[id, ['text', 'between']]]]]);
    await writer.del(name);
    reader.disconnect();
  });
});
