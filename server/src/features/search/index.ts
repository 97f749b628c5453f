import { STAFF_ROLE_ALLOWS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import type { RequestLog } from '../requests/index.ts';
import { searchEverything } from './search-everything.ts';

export { findDriverIds } from './find-names.ts';

export interface SearchOptions {
  db: Database;
  requestLog: RequestLog;
  now: () => Date;
}

/** The console's search, across accounts. */
export function serveSearch(app: FastifyInstance, { db, requestLog, now }: SearchOptions): void {
  bindConsole(app, 'searchConsole', async ({ staff, body, answer }) => {
    const context = { db, requestLog, now: now() };
    const allowed = STAFF_ROLE_ALLOWS[staff.role];
    const results = await searchEverything(context, body.text, (need) => allowed.includes(need));
    return answer(200, { success: true, results });
  });
}
