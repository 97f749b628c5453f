import { DRIVER_ENDPOINTS, type DriverEndpointName, type MapPoint } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { accountTime } from '../../calendar/twin-clock.ts';
import { bindDriver } from '../../http/bind-driver.ts';
import type { CommandChannel } from '../../http/command-channel.ts';
import type { SignedInDriver } from '../../http/driver-authentication.ts';
import { readCommand } from '../drivers/index.ts';
import {
  abandonRun,
  deliverRun,
  departWithRun,
  type MovedRun,
  pickUpRun,
  type RunContext,
  type RunStep,
  reportRunIncident,
} from './move-run.ts';
import { acceptOffer, listOffersToDriver, type OfferContext, refuseOffer } from './offers.ts';
import { listEndedRuns, listRuns, presentRun, readRun } from './read-runs.ts';

interface CommandCall {
  driver: SignedInDriver;
  params: { id: string };
  body: { commandId?: string; doneAt?: string; place?: MapPoint };
  channel: CommandChannel;
}

/** The driver API's commands on offers and runs, from acceptance to delivery. */
export function serveRuns(app: FastifyInstance, options: OfferContext & RunContext & { now: () => Date }): void {
  const { db } = options;
  /** Robots act by the clock of their twin: a status is never older than the one before it. */
  const now = ({ clock }: SignedInDriver) => accountTime(clock, options.now());
  const stepOf = (name: DriverEndpointName, { driver, params, body, channel }: CommandCall): RunStep => ({
    command: readCommand(name, driver.driverId, body, now(driver)),
    shipmentId: params.id,
    channel,
  });
  const readAfter = async ({ driver, params }: CommandCall, moved: MovedRun = null) => {
    const at = now(driver);
    const shipping = moved ? presentRun(moved, at) : await readRun(db, driver.driverId, params.id, at);
    return { success: true as const, shipping };
  };

  bindDriver(app, DRIVER_ENDPOINTS.listOffers, async ({ driver, answer }) =>
    answer(200, { success: true, offers: await listOffersToDriver(db, driver.driverId, now(driver)) }),
  );

  bindDriver(app, DRIVER_ENDPOINTS.acceptOffer, async (call) => {
    const accepted = await acceptOffer(options, stepOf('acceptOffer', call));
    return call.answer(200, await readAfter(call, accepted));
  });

  bindDriver(app, DRIVER_ENDPOINTS.refuseOffer, async (call) => {
    await refuseOffer(options, stepOf('refuseOffer', call));
    return call.answer(200, { success: true });
  });

  bindDriver(app, DRIVER_ENDPOINTS.listShipments, async ({ driver, answer }) =>
    answer(200, { success: true, shippings: await listRuns(db, driver.driverId, now(driver)) }),
  );

  bindDriver(app, DRIVER_ENDPOINTS.readShipment, async ({ driver, params, answer }) =>
    answer(200, { success: true, shipping: await readRun(db, driver.driverId, params.id, now(driver)) }),
  );

  bindDriver(app, DRIVER_ENDPOINTS.listEndedShipments, async ({ driver, query, answer }) => {
    const before = query.before === undefined ? null : new Date(query.before);
    return answer(200, { success: true, ...(await listEndedRuns(db, driver.driverId, before, now(driver))) });
  });

  bindDriver(app, DRIVER_ENDPOINTS.pickUp, async (call) => {
    const pickedUp = await pickUpRun(options, stepOf('pickUp', call), call.body.pickupToken);
    return call.answer(200, await readAfter(call, pickedUp));
  });

  bindDriver(app, DRIVER_ENDPOINTS.depart, async (call) => {
    const departed = await departWithRun(options, stepOf('depart', call));
    return call.answer(200, await readAfter(call, departed));
  });

  bindDriver(app, DRIVER_ENDPOINTS.deliver, async (call) => {
    const delivered = await deliverRun(options, stepOf('deliver', call), call.body);
    return call.answer(200, await readAfter(call, delivered));
  });

  bindDriver(app, DRIVER_ENDPOINTS.abandon, async (call) => {
    await abandonRun(options, stepOf('abandon', call), call.body.reason?.trim() || null);
    return call.answer(200, { success: true });
  });

  bindDriver(app, DRIVER_ENDPOINTS.reportIncident, async (call) => {
    const { kind, note, place } = call.body;
    const incident = { kind, note: note?.trim() || null, place: place ?? null };
    await reportRunIncident(options, stepOf('reportIncident', call), incident);
    return call.answer(200, await readAfter(call));
  });
}
