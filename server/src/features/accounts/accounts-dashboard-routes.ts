import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { Locator } from '../geocoding/index.ts';
import { authorizeMember } from '../members/index.ts';
import { presentPickupAddress } from './present-account.ts';
import { setPickupAddress } from './set-pickup-address.ts';

interface PickupAddressOptions {
  db: Database;
  locator: Locator;
  now: () => Date;
}

export function servePickupAddressToDashboard(app: FastifyInstance, { db, locator, now }: PickupAddressOptions): void {
  bindDashboard(app, 'setPickupAddress', async ({ member, body, answer }) => {
    const authorize = authorizeMember(member, 'ship', now());
    const place = await setPickupAddress(db, member.accountId, body, locator, authorize);
    return answer(200, { success: true, pickupAddress: presentPickupAddress(place) });
  });
}
