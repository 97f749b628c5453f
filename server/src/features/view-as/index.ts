import { VIEW_MINUTES } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { VIEW_COOKIE } from '../../http/session-cookie.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { endView } from './end-view.ts';
import { startView } from './start-view.ts';

export { withViews } from './view-sessions.ts';

export interface ViewAsOptions {
  db: Database;
  now: () => Date;
}

/** Staff start a view of a merchant's dashboard in the console. */
export function serveViewsToConsole(app: FastifyInstance, { db, now }: ViewAsOptions): void {
  bindConsole(app, 'viewAsMerchant', async ({ staff, params, body, answer }) => {
    const request = { accountId: params.id.toLowerCase(), reason: body.reason.trim() };
    const { token, expiresAt } = await startView(db, staff, request, now());
    const cookie = VIEW_COOKIE.set(token, VIEW_MINUTES * 60);
    return answer(201, { success: true, expiresAt: expiresAt.toISOString() }, cookie);
  });
}

/** They end it in the dashboard. */
export function serveViewsToDashboard(app: FastifyInstance, { db, now }: ViewAsOptions): void {
  bindDashboard(app, 'endView', async ({ member, answer }) => {
    if (!member.view) return refuseAsNotFound();
    await endView(db, member, now());
    return answer(200, { success: true }, VIEW_COOKIE.clear());
  });
}
