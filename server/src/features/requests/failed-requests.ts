import { hash } from 'node:crypto';
import { REQUEST_LOG } from '@navette/contract';
import type { Redis } from 'ioredis';
import { readRequests } from './read-requests.ts';
import type { RequestEntry } from './request-entry.ts';

const SHARD_LETTERS = 3; // hexadecimal: 4,096 lists
const PER_SHARD = 200; // 800,000 refused requests in all, about 80 MB
const TTL_MS = REQUEST_LOG.days * 86_400_000;

const shardOf = (prefix: string, requestId: string) =>
  `${prefix}failed-requests:${hash('sha256', requestId, 'hex').slice(0, SHARD_LETTERS)}`;

/**
 * Notes which account a refused request belongs to, so that support can find it by its id alone. Capped lists, chosen by
 * a hash of the id: memory and the cost of a look-up do not grow with the company.
 */
export async function noteFailedRequests(
  redis: Redis,
  prefix: string,
  failed: { requestId: string; accountId: string }[],
) {
  if (failed.length === 0) return;
  const pipeline = redis.pipeline();
  for (const { requestId, accountId } of failed) {
    const shard = shardOf(prefix, requestId);
    pipeline.lpush(shard, `${accountId} ${requestId}`);
    pipeline.ltrim(shard, 0, PER_SHARD - 1);
    pipeline.pexpire(shard, TTL_MS);
  }
  await pipeline.exec();
}

/** A refused request of any account by its whole id; null when the log has forgotten it. */
export async function findAnyFailedRequest(
  redis: Redis,
  prefix: string,
  requestId: string,
  now: Date,
): Promise<{ accountId: string; entry: RequestEntry } | null> {
  const noted = await redis.lrange(shardOf(prefix, requestId), 0, -1);
  const accountId = noted.find((line) => line.endsWith(` ${requestId}`))?.split(' ', 1)[0];
  if (accountId === undefined) return null;
  const { entries } = await readRequests(redis, prefix, accountId, { search: requestId }, now);
  const entry = entries.find((one) => one.requestId === requestId);
  return entry ? { accountId, entry } : null;
}
