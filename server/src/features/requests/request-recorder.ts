import { setImmediate } from 'node:timers/promises';
import { REQUEST_LOG } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { ObservedRequest } from '../../http/observe-requests.ts';
import { writeEntry } from './request-entry.ts';
import type { RequestLog } from './request-log.ts';

const WRITE_EVERY_MS = 500; // soon enough for a developer who just made a call; a busy process writes twice a second
const MAX_PER_CALL = 250; // entries: about a millisecond for the script and for preparing it here

export interface RequestRecorder {
  record(request: ObservedRequest): void;
  /** Writes the remaining entries. */
  stop(): Promise<void>;
}

/**
 * Writes requests to the log of their account, in batches and asynchronously. Entries that Redis does not accept are
 * lost: the log is best effort and must not delay requests.
 */
export function createRequestRecorder(requestLog: RequestLog, log: FastifyBaseLogger): RequestRecorder {
  let unwritten = new Map<string, ObservedRequest[]>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    timer = undefined;
    const accounts = unwritten;
    unwritten = new Map();
    const calls: Promise<unknown>[] = [];
    const failed = [...accounts.values()].flat().filter(({ status }) => status >= 400);
    calls.push(requestLog.noteFailed(failed).catch(notLogged));
    for (const [accountId, requests] of accounts) {
      for (let start = 0; start < requests.length; start += MAX_PER_CALL) {
        const entries = requests.slice(start, start + MAX_PER_CALL).map(writeEntry);
        calls.push(requestLog.append(accountId, entries).catch(notLogged));
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
