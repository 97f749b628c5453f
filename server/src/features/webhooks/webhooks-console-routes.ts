import type { DashboardErrorSlug, WhyNot } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { authorizeStaff } from '../staff/index.ts';
import { resumeAnyWebhook } from './operate-webhooks.ts';
import { requestAnyResend } from './request-resend.ts';

interface WebhooksConsoleOptions {
  db: Database;
  jobs: JobSender;
  now: () => Date;
}

const WHY_NOT_RESENT: Partial<Record<DashboardErrorSlug, WhyNot>> = {
  WEBHOOK_IS_PAUSED: 'webhook_paused',
  RESEND_RUNNING: 'resend_running',
  RESEND_PERIOD_INVALID: 'resend_period_invalid',
};

export function serveWebhooksToConsole(app: FastifyInstance, { db, jobs, now }: WebhooksConsoleOptions): void {
  bindConsole(app, 'resendWebhookEvents', async ({ staff, params, body, answer }) => {
    const at = now();
    const authorize = authorizeStaff(staff, 'support', at);
    const found = await requestAnyResend({ db, jobs }, params.id, body, at, authorize).catch((error: unknown) => {
      const why = error instanceof Refusal && error.dashboardSlug && WHY_NOT_RESENT[error.dashboardSlug];
      if (why) refuseNotPossible(why);
      throw error;
    });
    const { accountId: _accountId, ...resend } = found ?? refuseAsNotFound();
    return answer(202, { success: true, resend });
  });

  bindConsole(app, 'resumeWebhook', async ({ staff, params, answer }) => {
    const at = now();
    const outcome = await resumeAnyWebhook(db, authorizeStaff(staff, 'support', at), params.id, at);
    if (outcome === 'unknown') refuseAsNotFound();
    if (outcome === 'not-paused') refuseNotPossible('webhook_not_paused');
    return answer(200, { success: true });
  });
}
