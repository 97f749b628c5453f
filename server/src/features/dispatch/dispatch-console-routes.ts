import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { bindConsole } from '../../http/bind-console.ts';
import type { SignedInStaff } from '../../http/staff-authentication.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import { findDriver } from '../drivers/index.ts';
import { type AuthorizeOperator, authorizeStaff, readDoneAloneToday, requireStaff } from '../staff/index.ts';
import { type AssignableContext, listDriversForAnyShipment } from './assignable-drivers.ts';
import { readAnyConsoleShipment } from './console-shipment.ts';
import {
  assignAnyShipment,
  cancelAnyShipment,
  findAnyShipment,
  locateAnyShipment,
  type OperatorContext,
  type OperatorResult,
  unassignAnyShipment,
} from './operator.ts';
import { NotReturnable, resolveAnyIncident } from './resolve-incident.ts';

export interface DispatchConsoleOptions extends AssignableContext {
  jobs: JobSender;
  config: Pick<Config, 'console' | 'dispatch' | 'driverPay' | 'timeZone'>;
  now: () => Date;
}

/** Acts of staff on the shipments of any account. */
export function serveDispatchToConsole(app: FastifyInstance, options: DispatchConsoleOptions): void {
  const { db, jobs, config } = options;
  const contextFor = (staff: SignedInStaff, version?: string): OperatorContext => {
    const now = options.now();
    const authorize = authorizeStaff(staff, 'dispatch', now);
    return { db, jobs, config, now, authorize, ...(version === undefined ? {} : { version }) };
  };
  const shipmentAfter = async (id: string, result: OperatorResult) => {
    if (result.outcome === 'unknown') refuseAsNotFound();
    if (result.outcome === 'not-allowed') refuseNotPossible(`shipment_${result.status}`);
    const shipment = (await readAnyConsoleShipment(db, id)) ?? refuseAsNotFound();
    return { success: true as const, shipment, approvalId: null };
  };

  /** A delivery without a code that ends an incident counts as a confirmation; a second person cannot decide it here. */
  const authorizeConfirmation =
    (staff: SignedInStaff, now: Date): AuthorizeOperator =>
    async (tx) => {
      const actor = await requireStaff(tx, staff, 'dispatch', now);
      const { confirmations } = await readDoneAloneToday(tx, actor.id, config.timeZone, now);
      if (confirmations >= config.console.confirmationsPerDay) refuseNotPossible('over_confirmation_limit');
      return actor;
    };

  bindConsole(app, 'listAssignableDrivers', async ({ params, query, answer }) => {
    const found = (await findAnyShipment(db, params.id)) ?? refuseAsNotFound();
    const shipment = (await readAnyConsoleShipment(db, params.id)) ?? refuseAsNotFound();
    const drivers = await listDriversForAnyShipment(options, found, query.name, options.now());
    return answer(200, { success: true, shipment, drivers });
  });

  bindConsole(app, 'assignShipment', async ({ staff, params, body, answer }) => {
    const driver = (await findDriver(db, body.driverId)) ?? refuseAsNotFound();
    if (driver.disabledAt) refuseNotPossible('driver_disabled');
    const result = await assignAnyShipment(contextFor(staff, body.version), params.id, driver.id);
    return answer(200, await shipmentAfter(params.id, result));
  });

  bindConsole(app, 'unassignShipment', async ({ staff, params, body, answer }) => {
    const result = await unassignAnyShipment(contextFor(staff, body.version), params.id, body.reason);
    return answer(200, await shipmentAfter(params.id, result));
  });

  bindConsole(app, 'cancelAsOperator', async ({ staff, params, body, answer }) => {
    const result = await cancelAnyShipment(contextFor(staff, body.version), params.id, body.reason, staff.name);
    return answer(200, await shipmentAfter(params.id, result));
  });

  bindConsole(app, 'setShipmentLocation', async ({ staff, params, body, answer }) => {
    const { address, latitude, longitude } = body;
    const places = { pickup: null, delivery: null, [address]: { latitude, longitude } };
    return answer(200, await shipmentAfter(params.id, await locateAnyShipment(contextFor(staff), params.id, places)));
  });

  bindConsole(app, 'resolveIncident', async ({ staff, params, body, answer }) => {
    const { resolution, reason, leftWith, version } = body;
    if ((resolution === 'left_with') !== (leftWith !== undefined)) {
      const msg = 'À donner avec `left_with`, et seulement là.';
      throw fieldErrors([{ type: 'field', msg, path: 'leftWith', location: 'body' }]);
    }
    const decision = { resolution, reason, leftWith: leftWith ?? null };
    const context = contextFor(staff, version);
    if (resolution === 'confirmed' || resolution === 'left_with')
      context.authorize = authorizeConfirmation(staff, context.now);
    const result = await resolveAnyIncident(context, params.id, decision).catch((error: unknown) => {
      if (error instanceof NotReturnable) refuseNotPossible('not_picked_up');
      throw error;
    });
    return answer(200, await shipmentAfter(params.id, result));
  });
}
