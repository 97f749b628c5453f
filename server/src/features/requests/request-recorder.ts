import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { REQUEST_LOG } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Redis } from 'ioredis';
import type { ObservedRequest } from '../../http/observe-requests.ts';
import { noteFailedRequests } from './failed-requests.ts';
import { logKeyOf } from './log-key.ts';
import { writeEntry } from './request-entry.ts';

const WRITE_EVERY_MS = 500; // soon enough for a developer who just made a call; a busy process writes twice a second
const RETENTION_MS = REQUEST_LOG.days * 86_400_000;

// One script call for many entries: separate commands would cost this process several times as much CPU.
const SCRIPT = readFileSync(new URL('./record-requests.lua', import.meta.url), 'utf8');
const MAX_PER_CALL = 250; // entries: about a millisecond for the script and for preparing it here

interface RecordCommand {
  recordRequests: (key: string, ...values: (string | number)[]) => Promise<unknown>;
}

export interface RequestRecorder {
  record(request: ObservedRequest): void;
  /** Writes the remaining entries. */
  stop(): Promise<void>;
}

/**
 * Writes requests to one capped stream per account, in batches and asynchronously. Entries that Redis does not accept are
 * lost: the log is best effort and must not delay requests.
 */
export function createRequestRecorder(redis: Redis, prefix: string, log: FastifyBaseLogger): RequestRecorder {
  redis.defineCommand('recordRequests', { numberOfKeys: 1, lua: SCRIPT });
  let unwritten = new Map<string, ObservedRequest[]>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    timer = undefined;
    const accounts = unwritten;
    unwritten = new Map();
    const commands = redis as Redis & RecordCommand;
    const calls: Promise<unknown>[] = [];
    const failed = [...accounts.values()].flat().filter(({ status }) => status >= 400);
    calls.push(noteFailedRequests(redis, prefix, failed).catch(notLogged));
    for (const [accountId, requests] of accounts) {
      for (let start = 0; start < requests.length; start += MAX_PER_CALL) {
        const entries = requests.slice(start, start + MAX_PER_CALL).map(writeEntry);
        const oldest = Date.now() - RETENTION_MS;
        const values = [REQUEST_LOG.most, oldest, RETENTION_MS, ...entries];
        calls.push(commands.recordRequests(logKeyOf(prefix, accountId), ...values).catch(notLogged));
        await setImmediate(); // lets pending requests go first, here and in Redis
      }
    }
    await Promise.all(calls);
  }

  const notLogged = (error: unknown) => log.debug({ err: error }, 'requests not logged');

  return {
    record(request) {
      const own = unwritten.get(request.accountId);
      if (!own) unwritten.set(request.accountId, [request]);
      else if (own.push(request) > 2 * REQUEST_LOG.most) own.splice(0, REQUEST_LOG.most); // more than the log keeps
      timer ??= setTimeout(() => void write(), WRITE_EVERY_MS).unref();
    },
    async stop() {
      clearTimeout(timer);
      if (unwritten.size > 0) await write();
    },
  };
}
