import { REQUEST_LOG } from '@navette/contract';
import { LRUCache } from 'lru-cache';
import type { RequestLog } from './request-log.ts';

const MOST_ACCOUNTS = 1_000;
const MOST_FAILED = 10_000;
const RETENTION_MS = REQUEST_LOG.days * 86_400_000;

interface Stored {
  at: number;
  number: number;
  text: string;
}

/** The request log in the memory of the only process. */
export function createMemoryRequestLog(): RequestLog & { clear(): void } {
  const logs = new LRUCache<string, Stored[]>({ max: MOST_ACCOUNTS });
  const failedRequests = new LRUCache<string, string>({ max: MOST_FAILED, ttl: RETENTION_MS });
  let number = 0;
  const readAll = (accountId: string) => logs.get(accountId) ?? [];

  return {
    async append(accountId, entries) {
      const at = Date.now();
      const added = entries.map((text) => ({ at, number: ++number, text }));
      const kept = [...readAll(accountId), ...added].filter((entry) => entry.at >= at - RETENTION_MS);
      logs.set(accountId, kept.slice(-REQUEST_LOG.most));
    },
    async readNewest(accountId, { before, oldest, most }) {
      const last = before === null ? Infinity : Number(before.split('-')[1]);
      return readAll(accountId)
        .filter((entry) => entry.number < last && entry.at >= oldest.getTime())
        .toReversed()
        .slice(0, most)
        .map((entry) => ({ id: `${entry.at}-${entry.number}`, text: entry.text }));
    },
    readSince: async (accountId, since) =>
      readAll(accountId)
        .filter(({ at }) => at >= since.getTime())
        .map(({ text }) => text),
    async noteFailed(failed) {
      for (const { requestId, accountId } of failed) failedRequests.set(requestId, accountId);
    },
    findAnyAccount: async (requestId) => failedRequests.get(requestId) ?? null,
    clear() {
      logs.clear();
      failedRequests.clear();
    },
  };
}
