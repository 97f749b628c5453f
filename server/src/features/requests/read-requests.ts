import { REQUEST_LOG } from '@navette/contract';
import { type RequestEntry, readEntry } from './request-entry.ts';
import type { RequestLog } from './request-log.ts';

const PAGE = 50;
const BATCH = 250;
const CURSOR = /^\d{1,15}-\d{1,15}$/; // a stream id

export interface RequestsWanted {
  /** Such as 4xx. */
  status?: string;
  method?: string;
  /** Prefix of a request id. */
  search?: string;
  cursor?: string;
}

export interface RequestsPage {
  entries: RequestEntry[];
  nextCursor: string | null;
}

/** Newest first. A filter reads at most the account's whole log, about a thousand entries. */
export async function readRequests(
  log: RequestLog,
  accountId: string,
  wanted: RequestsWanted,
  now: Date,
): Promise<RequestsPage> {
  const oldest = new Date(now.getTime() - REQUEST_LOG.days * 86_400_000);
  const entries: RequestEntry[] = [];
  let before = wanted.cursor && CURSOR.test(wanted.cursor) ? wanted.cursor : null;
  for (;;) {
    const read = await log.readNewest(accountId, { before, oldest, most: BATCH });
    for (const { id, text } of read) {
      const entry = readEntry(text);
      if (!isWanted(entry, wanted)) continue;
      entries.push(entry);
      if (entries.length === PAGE) return { entries, nextCursor: id };
    }
    const last = read.at(-1);
    if (!last || read.length < BATCH) return { entries, nextCursor: null };
    before = last.id;
  }
}

const isWanted = (entry: RequestEntry, { status, method, search = '' }: RequestsWanted): boolean =>
  (status === undefined || String(entry.status)[0] === status[0]) &&
  (method === undefined || entry.method === method) &&
  entry.requestId.toLowerCase().startsWith(search.trim().toLowerCase());
