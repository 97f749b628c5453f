import { DRIVER_ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { bindDriver } from '../../http/bind-driver.ts';
import { readRun } from '../runs/index.ts';
import { abandonRun } from './give-back.ts';
import { acceptOffer, listOffersToDriver, type Offering, refuseOffer } from './offers.ts';

/** What a driver says to dispatch: yes, no, and not after all. */
export function serveDispatch(app: FastifyInstance, options: Offering & { now: () => Date }): void {
  const { db, now } = options;

  bindDriver(app, DRIVER_ENDPOINTS.listOffers, async ({ driver, answer }) =>
    answer(200, { success: true, offers: await listOffersToDriver(db, driver.driverId, now()) }),
  );

  bindDriver(app, DRIVER_ENDPOINTS.acceptOffer, async ({ driver, channel, params, answer }) => {
    await acceptOffer(options, driver.driverId, params.id, channel, now());
    return answer(200, { success: true, shipping: await readRun(db, driver.driverId, params.id) });
  });

  bindDriver(app, DRIVER_ENDPOINTS.refuseOffer, async ({ driver, params, answer }) => {
    await refuseOffer(options, driver.driverId, params.id, now());
    return answer(200, { success: true });
  });

  bindDriver(app, DRIVER_ENDPOINTS.abandon, async ({ driver, channel, params, body, answer }) => {
    const run = { driverId: driver.driverId, shipmentId: params.id, channel };
    await abandonRun(options, run, body.reason?.trim() || null, now());
    return answer(200, { success: true });
  });
}
