import type { LoggedRequest } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { nameKeys } from '../api-keys/index.ts';
import { type RequestsPage, readRequests } from './read-requests.ts';
import type { RequestLog } from './request-log.ts';

export interface DashboardRequestsOptions {
  db: Database;
  requestLog: RequestLog;
  now: () => Date;
}

export function serveRequestsToDashboard(
  app: FastifyInstance,
  { db, requestLog, now }: DashboardRequestsOptions,
): void {
  bindDashboard(app, 'listRequests', async ({ member, query, answer }) => {
    const page = await readRequests(requestLog, member.accountId, query, now()).catch(() => null);
    if (!page) return answer(200, { success: true, requests: [], nextCursor: null, isAvailable: false });
    const requests = await withKeyNames(db, member.accountId, page.entries);
    return answer(200, { success: true, requests, nextCursor: page.nextCursor, isAvailable: true });
  });
}

async function withKeyNames(
  db: Database,
  accountId: string,
  entries: RequestsPage['entries'],
): Promise<LoggedRequest[]> {
  const keys = await nameKeys(db, accountId, [...new Set(entries.map(({ keyId }) => keyId))]);
  return entries.map(({ keyId, at, ...entry }) => {
    const key = keys.get(keyId);
    return { ...entry, at: at.toISOString(), keyName: key?.name ?? null, keyHint: key?.hint ?? null };
  });
}
