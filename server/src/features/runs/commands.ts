import { DRIVER_ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { bindDriver } from '../../http/bind-driver.ts';
import type { SignedInDriver } from '../../http/driver-door.ts';
import type { SpokenChannel } from '../../http/spoken-channel.ts';
import { deliverRun, departWithRun, type Moving, pickUpRun } from './move-run.ts';
import { listRuns, readRun } from './read-runs.ts';

/** What a driver does with shipments in hand. */
export function serveRuns(app: FastifyInstance, options: Moving & { now: () => Date }): void {
  const { db, now } = options;
  const stepOf = ({ driverId }: SignedInDriver, params: { id: string }, channel: SpokenChannel) => ({
    driverId,
    shipmentId: params.id,
    channel,
    now: now(),
  });

  bindDriver(app, DRIVER_ENDPOINTS.listShipments, async ({ driver, answer }) =>
    answer(200, { success: true, shippings: await listRuns(db, driver.driverId) }),
  );

  bindDriver(app, DRIVER_ENDPOINTS.readShipment, async ({ driver, params, answer }) =>
    answer(200, { success: true, shipping: await readRun(db, driver.driverId, params.id) }),
  );

  bindDriver(app, DRIVER_ENDPOINTS.pickUp, async ({ driver, params, body, channel, answer }) => {
    await pickUpRun(options, stepOf(driver, params, channel), body.pickupToken);
    return answer(200, { success: true, shipping: await readRun(db, driver.driverId, params.id) });
  });

  bindDriver(app, DRIVER_ENDPOINTS.depart, async ({ driver, params, channel, answer }) => {
    await departWithRun(options, stepOf(driver, params, channel));
    return answer(200, { success: true, shipping: await readRun(db, driver.driverId, params.id) });
  });

  bindDriver(app, DRIVER_ENDPOINTS.deliver, async ({ driver, params, body, channel, answer }) => {
    await deliverRun(options, stepOf(driver, params, channel), body.deliveryCode);
    return answer(200, { success: true, shipping: await readRun(db, driver.driverId, params.id) });
  });
}
