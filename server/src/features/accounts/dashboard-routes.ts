import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { Locator } from '../geocoding/index.ts';
import { presentPickupAddress } from './present-account.ts';
import { setPickupAddress } from './set-pickup-address.ts';

export function servePickupAddressToDashboard(app: FastifyInstance, db: Database, locator: Locator): void {
  bindDashboard(app, 'setPickupAddress', async ({ member, body, answer }) => {
    const place = await setPickupAddress(db, member.accountId, body, locator);
    return answer(200, { success: true, pickupAddress: presentPickupAddress(place) });
  });
}
