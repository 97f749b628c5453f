import type { Tx } from '../../database/database.ts';
import { shownDistanceKm } from '../../geography/distance-km.ts';
import { computePay, isPaidByRun, type PaySettings } from './pay.ts';

/** The pay for delivering this shipment by the current settings, in cents; 0 when drivers are not paid by run. */
export async function quotePay(tx: Tx, settings: PaySettings, accountId: string, shipmentId: string): Promise<number> {
  if (!isPaidByRun(settings)) return 0;
  const { weight, pickup_address, delivery_address } = await tx
    .selectFrom('shipments')
    .select(['weight', 'pickup_address', 'delivery_address'])
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  const [longitude, latitude] = pickup_address.location?.coordinates ?? [];
  const from = latitude === undefined || longitude === undefined ? null : { latitude, longitude };
  return computePay({ km: shownDistanceKm(from, delivery_address.coordinates), weightKg: weight }, settings);
}
