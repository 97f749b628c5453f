import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { readConfig } from '../../server/src/config.ts';
import { dropDatabase } from '../../server/test/drop-database.ts';
import { startPrivatePostgres } from '../../server/test/private-postgres.ts';
import { startPrivateRedis } from '../../server/test/private-redis.ts';
import type { Fault } from './faults.ts';

/** PostgreSQL and Redis of an installation. */
export interface DayEngines {
  environment: Record<'DATABASE_URL' | 'REDIS_URL' | 'REDIS_PREFIX', string>;
  faults: Fault[];
  remove(): Promise<void>;
}

/** A database and a prefix in the engines of the settings, which others use too: nothing there may be disturbed. */
export function shareEngines(name: string): DayEngines {
  const { databaseUrl, redisUrl } = readConfig();
  const environment = {
    DATABASE_URL: Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: `${name}:`,
  };
  return {
    environment,
    faults: [],
    async remove() {
      await dropDatabase(environment.DATABASE_URL);
      await forget(redisUrl, environment.REDIS_PREFIX);
    },
  };
}

const REDIS_OUTAGE_MS = 2_000;

/** Engines of its own, which may crash. */
export async function startEngines(name: string): Promise<DayEngines> {
  const [postgres, redis] = await Promise.all([startPrivatePostgres(), startPrivateRedis()]);
  const crashPostgres = async () => {
    await postgres.crash();
    await postgres.start();
  };
  const stopRedis = async () => {
    await redis.stop();
    await setTimeout(REDIS_OUTAGE_MS);
    await redis.start();
  };
  const freezeRedis = async () => {
    const thaw = redis.freeze();
    await setTimeout(REDIS_OUTAGE_MS);
    thaw();
  };
  return {
    environment: { DATABASE_URL: postgres.url, REDIS_URL: redis.url, REDIS_PREFIX: `${name}:` },
    faults: [
      { name: 'PostgreSQL crashes', strike: crashPostgres },
      { name: 'the connections to PostgreSQL are cut', strike: () => postgres.cutConnections() },
      { name: 'Redis ends and starts empty', strike: stopRedis },
      { name: 'Redis is emptied', strike: () => redis.empty() },
      { name: 'Redis does not answer for 2 s', strike: freezeRedis },
    ],
    async remove() {
      await Promise.all([postgres.remove(), redis.stop()]);
    },
  };
}

async function forget(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl);
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if (keys.length > 0) await redis.unlink(...(keys as string[]));
  }
  redis.disconnect();
}
