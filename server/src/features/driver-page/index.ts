import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../database/uuid.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { endSessions, findDriver } from '../drivers/index.ts';
import { authorizeStaff, recordOperatorAct } from '../staff/index.ts';
import { type DriverActOptions, serveDriverActs } from './driver-act-routes.ts';
import { type DriverPageContext, readDriverPage } from './read-driver-page.ts';

export type DriverPageOptions = Omit<DriverPageContext, 'now'> & DriverActOptions;

/** Everything about one driver, for staff. */
export function serveDriverPage(app: FastifyInstance, options: DriverPageOptions): void {
  const { now, ...context } = options;
  const { db } = context;
  serveDriverActs(app, options);

  bindConsole(app, 'readDriverPage', async ({ params, answer }) => {
    if (!isUuid(params.id)) return refuseAsNotFound();
    const page = await readDriverPage({ ...context, now: now() }, params.id.toLowerCase());
    return page ? answer(200, { success: true, page }) : refuseAsNotFound();
  });

  bindConsole(app, 'endDriverSessions', async ({ staff, params, answer }) => {
    const at = now();
    if (!isUuid(params.id)) return refuseAsNotFound();
    const { id, firstName, lastName } = (await findDriver(db, params.id)) ?? refuseAsNotFound();
    const authorize = authorizeStaff(staff, 'dispatch', at);
    const ended = await db.transaction().execute(async (tx) => {
      const actor = await authorize(tx);
      const sessions = await endSessions(tx, id, 'all', at);
      const subject = { type: 'driver', id, title: `${firstName} ${lastName}` };
      const details = { sessions: sessions.length };
      await recordOperatorAct(tx, actor, { act: 'driver.signed_out', subject, details }, at);
      return sessions.length;
    });
    return answer(200, { success: true, ended });
  });
}
