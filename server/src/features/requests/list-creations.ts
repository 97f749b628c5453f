import type { Redis } from 'ioredis';
import { logKeyOf } from './log-key.ts';
import { readEntry } from './request-entry.ts';

/** The shipments that an account's requests created since then, as its log remembers: about a thousand requests. */
export async function listCreations(redis: Redis, prefix: string, accountId: string, since: Date): Promise<string[]> {
  const entries = await redis.xrange(logKeyOf(prefix, accountId), since.getTime(), '+');
  return entries
    .map(([, [, text = '']]) => readEntry(text))
    .flatMap(({ method, route, status, id }) =>
      method === 'POST' && route === '/shipping' && status < 300 ? (id ?? []) : [],
    );
}
