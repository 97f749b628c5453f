import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { authorizeStaff } from '../staff/index.ts';
import { closeAnyReport } from './close-report.ts';

interface ReportOptions {
  db: Database;
  now: () => Date;
}

export function serveReportsToConsole(app: FastifyInstance, { db, now }: ReportOptions): void {
  bindConsole(app, 'closeReport', async ({ staff, params, body, answer }) => {
    const at = now();
    const outcome = await closeAnyReport(db, authorizeStaff(staff, 'support', at), params.id, body.reason, at);
    if (outcome === 'unknown') refuseAsNotFound();
    if (outcome === 'none-open') refuseNotPossible('report_closed');
    return answer(200, { success: true });
  });
}
