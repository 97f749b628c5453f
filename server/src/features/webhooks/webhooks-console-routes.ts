import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { authorizeStaff } from '../staff/index.ts';
import { resumeAnyWebhook } from './operate-webhooks.ts';

export function serveWebhooksToConsole(app: FastifyInstance, { db, now }: { db: Database; now: () => Date }): void {
  bindConsole(app, 'resumeWebhook', async ({ staff, params, answer }) => {
    const at = now();
    const outcome = await resumeAnyWebhook(db, authorizeStaff(staff, 'support', at), params.id, at);
    if (outcome === 'unknown') refuseAsNotFound();
    if (outcome === 'not-paused') refuseNotPossible('Ce webhook n’est pas en pause.');
    return answer(200, { success: true });
  });
}
