import { STAFF_ROLE_ALLOWS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import type { Arrivals } from '../arrival/index.ts';
import { readAnyShipmentPage } from './read-shipment-page.ts';

export interface ShipmentPageOptions {
  db: Database;
  config: Pick<Config, 'timeZone'>;
  arrivals: Arrivals;
  now: () => Date;
}

/** Everything about one shipment of any account, for staff. */
export function serveShipmentPage(app: FastifyInstance, { db, config, arrivals, now }: ShipmentPageOptions): void {
  bindConsole(app, 'readShipmentPage', async ({ staff, params, answer }) => {
    const at = now();
    const showsPerson = STAFF_ROLE_ALLOWS[staff.role].includes('dispatch');
    const context = { db, timeZone: config.timeZone, now: at, showsPerson, arrivals };
    const page = (await readAnyShipmentPage(context, params.id)) ?? refuseAsNotFound();
    return answer(200, { success: true, at: at.toISOString(), ...page });
  });
}
