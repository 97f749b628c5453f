import { readEntry } from './request-entry.ts';
import type { RequestLog } from './request-log.ts';

/** The shipments that an account's requests created since then, as its log remembers: about a thousand requests. */
export async function listCreations(log: RequestLog, accountId: string, since: Date): Promise<string[]> {
  const entries = await log.readSince(accountId, since);
  return entries
    .map(readEntry)
    .flatMap(({ method, route, status, id }) =>
      method === 'POST' && route === '/shipping' && status < 300 ? (id ?? []) : [],
    );
}
