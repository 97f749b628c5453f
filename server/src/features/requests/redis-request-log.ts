import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { REQUEST_LOG } from '@navette/contract';
import type { Redis } from 'ioredis';
import type { RequestLog } from './request-log.ts';

// One script call for many entries: separate commands would cost this process several times as much CPU.
const SCRIPT = readFileSync(new URL('./record-requests.lua', import.meta.url), 'utf8');
const RETENTION_MS = REQUEST_LOG.days * 86_400_000;
const SHARD_LETTERS = 3; // hexadecimal: 4,096 lists
const PER_SHARD = 200; // 800,000 refused requests in all, about 80 MB

interface RecordCommand {
  recordRequests: (key: string, ...values: (string | number)[]) => Promise<unknown>;
}

/**
 * One capped stream per account. Refused requests are in capped lists, chosen by a hash of the id: memory and the cost of a
 * look-up do not grow with the company.
 */
export function createRedisRequestLog(redis: Redis, prefix: string): RequestLog {
  redis.defineCommand('recordRequests', { numberOfKeys: 1, lua: SCRIPT });
  const commands = redis as Redis & RecordCommand;
  const keyOf = (accountId: string) => `${prefix}requests:${accountId}`;
  const shardOf = (requestId: string) =>
    `${prefix}failed-requests:${hash('sha256', requestId, 'hex').slice(0, SHARD_LETTERS)}`;

  return {
    async append(accountId, entries) {
      const oldest = Date.now() - RETENTION_MS;
      await commands.recordRequests(keyOf(accountId), REQUEST_LOG.most, oldest, RETENTION_MS, ...entries);
    },
    async readNewest(accountId, { before, oldest, most }) {
      const from = before === null ? '+' : `(${before}`;
      const read = await redis.xrevrange(keyOf(accountId), from, oldest.getTime(), 'COUNT', most);
      return read.map(([id, [, text = '']]) => ({ id, text }));
    },
    async readSince(accountId, since) {
      const read = await redis.xrange(keyOf(accountId), since.getTime(), '+');
      return read.map(([, [, text = '']]) => text);
    },
    async noteFailed(failed) {
      if (failed.length === 0) return;
      const pipeline = redis.pipeline();
      for (const { requestId, accountId } of failed) {
        const shard = shardOf(requestId);
        pipeline.lpush(shard, `${accountId} ${requestId}`);
        pipeline.ltrim(shard, 0, PER_SHARD - 1);
        pipeline.pexpire(shard, RETENTION_MS);
      }
      await pipeline.exec();
    },
    async findAnyAccount(requestId) {
      const noted = await redis.lrange(shardOf(requestId), 0, -1);
      return noted.find((line) => line.endsWith(` ${requestId}`))?.split(' ', 1)[0] ?? null;
    },
  };
}
