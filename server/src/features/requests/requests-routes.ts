import { FEED_ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import { readRequests } from './read-requests.ts';
import type { RequestEntry } from './request-entry.ts';
import type { RequestLog } from './request-log.ts';

export interface RequestsOptions {
  requestLog: RequestLog;
  now: () => Date;
}

export function serveRequests(app: FastifyInstance, { requestLog, now }: RequestsOptions): void {
  bind(app, FEED_ENDPOINTS.readRequests, async ({ caller, query, answer }) => {
    const page = await readRequests(requestLog, caller.accountId, query, now()).catch(() => null);
    const requests = page?.entries.map(withoutKey) ?? [];
    return answer(200, { success: true, requests, cursor: page?.nextCursor ?? null, isAvailable: page !== null });
  });
}

/** A caller need not learn of the account's other keys. */
const withoutKey = ({ at, requestId, method, route, id, status, error, fields, durationMs }: RequestEntry) => ({
  at: at.toISOString(),
  requestId,
  method,
  route,
  id,
  status,
  error,
  fields,
  durationMs,
});
