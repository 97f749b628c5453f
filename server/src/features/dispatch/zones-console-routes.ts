import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { cornersOf, createAnyZone, liftAnyZone, listAnyStandingZones, requireEnd } from './change-zones.ts';
import { readAnyZoneEffect } from './zones.ts';

export interface ZonesOptions {
  db: Database;
  jobs: JobSender;
  now: () => Date;
}

/** Zones in which no run is offered. */
export function serveZones(app: FastifyInstance, { db, jobs, now }: ZonesOptions): void {
  bindConsole(app, 'listZones', async ({ answer }) =>
    answer(200, { success: true, zones: await listAnyStandingZones(db, now()) }),
  );

  bindConsole(app, 'previewZone', async ({ body, answer }) => {
    const corners = cornersOf(body.shape);
    const effect = await readAnyZoneEffect(db, corners, requireEnd(body.endsAt, now()));
    return answer(200, { success: true, corners, ...effect });
  });

  bindConsole(app, 'createZone', async ({ staff, body, answer }) => {
    const { shape, reason, message = null } = body;
    const id = body.id.toLowerCase();
    const context = { db, jobs, now: now() };
    await createAnyZone(context, staff, { id, shape, reason, message, endsAt: requireEnd(body.endsAt, context.now) });
    const zone = (await listAnyStandingZones(db, context.now)).find((one) => one.id === id);
    return answer(200, { success: true, zone: zone ?? refuseNotPossible('zone_lifted') });
  });

  bindConsole(app, 'liftZone', async ({ staff, params, answer }) => {
    await liftAnyZone({ db, jobs, now: now() }, staff, params.id.toLowerCase());
    return answer(200, { success: true });
  });
}
