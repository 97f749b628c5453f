import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { everyRow } from './every-row.ts';
import { textOfPages } from './pdf-tools.ts';
import type { TestServer } from './test-server.ts';

/** Everything that the service stores, as one text in lower case: every row of every schema, every label file, every Redis key. */
export async function everythingKept(
  { db, config }: Pick<TestServer, 'db' | 'config'>,
  tablesLeftOut: string[] = [],
): Promise<string> {
  const kept = [
    await everyRow(db, tablesLeftOut),
    ...(await everyLabel(config.labelStore)),
    await everyRedisValue(config),
  ];
  return kept.join('\n').toLowerCase();
}

async function everyLabel(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const pages = await textOfPages(await readFile(join(parentPath, name)));
      return [name, ...pages].join('\n');
    }),
  );
}

async function everyRedisValue({ redisUrl, redisPrefix }: TestServer['config']): Promise<string> {
  const redis = new Redis(redisUrl);
  try {
    const keys = await redis.keys(`${redisPrefix}*`);
    const values = await Promise.all(keys.map((key) => readValue(redis, key)));
    return [...keys, ...values].join('\n');
  } finally {
    redis.disconnect();
  }
}

async function readValue(redis: Redis, key: string): Promise<string> {
  const type = await redis.type(key);
  const read: Record<string, () => Promise<unknown>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, '0', '-1'),
    stream: () => redis.xrange(key, '-', '+'),
    none: async () => '', // expired meanwhile
  };
  const reading = read[type];
  if (!reading) throw new Error(`a Redis key of type ${type} is not searched`);
  return JSON.stringify(await reading());
}
