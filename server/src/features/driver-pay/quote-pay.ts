import type { Tx } from '../../database/database.ts';
import { shownDistanceKm } from '../../geography/distance-km.ts';
import { computePay, isPaidByRun, type PaySettings } from './pay.ts';

/** The pay for delivering this shipment by the current settings, in cents; 0 for employees and in test mode. */
export async function quotePay(tx: Tx, settings: PaySettings, accountId: string, shipmentId: string): Promise<number> {
  if (!isPaidByRun(settings)) return 0;
  const { weight, pickup_address, delivery_address, live_account_id } = await tx
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select(['weight', 'pickup_address', 'delivery_address', 'live_account_id'])
    .where('s.account_id', '=', accountId)
    .where('s.id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  if (live_account_id !== null) return 0;
  const [longitude, latitude] = pickup_address.location?.coordinates ?? [];
  const from = latitude === undefined || longitude === undefined ? null : { latitude, longitude };
  return computePay({ km: shownDistanceKm(from, delivery_address.coordinates), weightKg: weight }, settings);
}
