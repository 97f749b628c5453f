import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { authorizeStaff } from '../staff/index.ts';
import { retryAnyMessage } from './retry-message.ts';

export interface MessagesConsoleOptions {
  db: Database;
  jobs: JobSender;
  now: () => Date;
}

export function serveMessagesToConsole(app: FastifyInstance, { db, jobs, now }: MessagesConsoleOptions): void {
  bindConsole(app, 'retryMessage', async ({ staff, params, answer }) => {
    const at = now();
    const outcome = await retryAnyMessage({ db, jobs }, authorizeStaff(staff, 'support', at), params.id, at);
    if (outcome === 'unknown') refuseAsNotFound();
    if (outcome === 'not-sendable') refuseNotPossible('number_refused');
    return answer(200, { success: true });
  });
}
