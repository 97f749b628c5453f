import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { REQUEST_LOG } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Redis } from 'ioredis';
import type { SeenRequest } from '../../http/watch-requests.ts';
import { writeEntry } from './request-entry.ts';

const WRITE_EVERY_MS = 500; // a developer who has just called finds it there; a busy process writes twice a second
const KEPT_MS = REQUEST_LOG.days * 86_400_000;

// Many in one call: as commands of their own they would cost this process several times as much.
const SCRIPT = readFileSync(new URL('./record-requests.lua', import.meta.url), 'utf8');
const MOST_PER_CALL = 250; // keeps one run of the script, and what is done for it here, around a millisecond

interface RecordCommand {
  recordRequests: (key: string, ...values: (string | number)[]) => Promise<unknown>;
}

export const logKeyOf = (prefix: string, accountId: string) => `${prefix}requests:${accountId}`;

export interface RequestRecorder {
  record(seen: SeenRequest): void;
  /** Writes what is left, and nothing more afterwards. */
  stop(): Promise<void>;
}

/**
 * Writes requests into one capped stream per account, together and off the way of the requests themselves. What Redis
 * does not take is lost: the log may lose anything, and must delay nothing.
 */
export function createRequestRecorder(redis: Redis, prefix: string, log: FastifyBaseLogger): RequestRecorder {
  redis.defineCommand('recordRequests', { numberOfKeys: 1, lua: SCRIPT });
  let unwritten = new Map<string, SeenRequest[]>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    timer = undefined;
    const accounts = unwritten;
    unwritten = new Map();
    const commands = redis as Redis & RecordCommand;
    const calls: Promise<unknown>[] = [];
    for (const [accountId, seen] of accounts) {
      for (let start = 0; start < seen.length; start += MOST_PER_CALL) {
        const entries = seen.slice(start, start + MOST_PER_CALL).map(writeEntry);
        const oldest = Date.now() - KEPT_MS;
        const values = [REQUEST_LOG.most, oldest, KEPT_MS, ...entries];
        calls.push(commands.recordRequests(logKeyOf(prefix, accountId), ...values).catch(notLogged));
        await setImmediate(); // requests that came meanwhile go first, here and in Redis
      }
    }
    await Promise.all(calls);
  }

  const notLogged = (error: unknown) => log.debug({ err: error }, 'requests were not logged');

  return {
    record(seen) {
      const own = unwritten.get(seen.accountId);
      if (!own) unwritten.set(seen.accountId, [seen]);
      else if (own.push(seen) > 2 * REQUEST_LOG.most) own.splice(0, REQUEST_LOG.most); // older than what is kept
      timer ??= setTimeout(() => void write(), WRITE_EVERY_MS).unref();
    },
    async stop() {
      clearTimeout(timer);
      if (unwritten.size > 0) await write();
    },
  };
}
