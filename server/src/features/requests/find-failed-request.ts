import { readRequests } from './read-requests.ts';
import type { RequestEntry } from './request-entry.ts';
import type { RequestLog } from './request-log.ts';

/** A refused request of any account by its whole id; null when the log has forgotten it. */
export async function findAnyFailedRequest(
  log: RequestLog,
  requestId: string,
  now: Date,
): Promise<{ accountId: string; entry: RequestEntry } | null> {
  const accountId = await log.findAnyAccount(requestId);
  if (accountId === null) return null;
  const { entries } = await readRequests(log, accountId, { search: requestId }, now);
  const entry = entries.find((one) => one.requestId === requestId);
  return entry ? { accountId, entry } : null;
}
