import { REQUEST_LOG } from '@navette/contract';
import type { Redis } from 'ioredis';
import { logKeyOf } from './record-requests.ts';
import { type RequestEntry, readEntry } from './request-entry.ts';

const PAGE = 50;
const READ_TOGETHER = 250;
const CURSOR = /^\d{1,15}-\d{1,15}$/; // an id of the stream

export interface RequestsWanted {
  /** Such as 4xx. */
  status?: string;
  method?: string;
  /** Start of a request id. */
  search?: string;
  cursor?: string;
}

export interface RequestsPage {
  entries: RequestEntry[];
  nextCursor: string | null;
}

/** Newest first. However rare what is wanted, no more is read than the thousand or so that an account's log holds. */
export async function readRequests(
  redis: Redis,
  prefix: string,
  accountId: string,
  wanted: RequestsWanted,
  now: Date,
): Promise<RequestsPage> {
  const oldest = now.getTime() - REQUEST_LOG.days * 86_400_000;
  const entries: RequestEntry[] = [];
  let from = wanted.cursor && CURSOR.test(wanted.cursor) ? `(${wanted.cursor}` : '+';
  for (;;) {
    const read = await redis.xrevrange(logKeyOf(prefix, accountId), from, oldest, 'COUNT', READ_TOGETHER);
    for (const [id, [, text = '']] of read) {
      const entry = readEntry(text);
      if (!isWanted(entry, wanted)) continue;
      entries.push(entry);
      if (entries.length === PAGE) return { entries, nextCursor: id };
    }
    const last = read.at(-1);
    if (!last || read.length < READ_TOGETHER) return { entries, nextCursor: null };
    from = `(${last[0]}`;
  }
}

const isWanted = (entry: RequestEntry, { status, method, search = '' }: RequestsWanted): boolean =>
  (status === undefined || String(entry.status)[0] === status[0]) &&
  (method === undefined || entry.method === method) &&
  entry.requestId.toLowerCase().startsWith(search.trim().toLowerCase());
