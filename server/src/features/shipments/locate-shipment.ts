import type { Shipment } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import type { Locator } from '../geocoding/index.ts';

type PickupAddress = Shipment['pickupAddress'];
type DeliveryAddress = Shipment['deliveryAddress'];

/**
 * Finds the coordinates that a merchant did not send. What cannot be found stays null and waits for the operator; while
 * the geocoder is out of reach this fails, and its job is tried again.
 */
export async function locateShipment(
  db: Database,
  locator: Locator,
  accountId: string,
  shipmentId: string,
): Promise<void> {
  const row = await db
    .selectFrom('shipments')
    .select(['pickup_address', 'delivery_address'])
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  const pickup = row.pickup_address as unknown as PickupAddress;
  const delivery = row.delivery_address as unknown as DeliveryAddress;
  const patiently = { failWhenUnavailable: true };
  const from = pickup.location ? null : await locator.locate(pickup, patiently);
  const to = delivery.coordinates ? null : await locator.locate(delivery, patiently);
  if (!from && !to) return;
  const located = {
    ...(from ? { pickup_address: JSON.stringify(withLocation(pickup, from)) } : {}),
    ...(to ? { delivery_address: JSON.stringify({ ...delivery, coordinates: to }) } : {}),
  };
  await db
    .updateTable('shipments')
    .set(located)
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .execute();
}

function withLocation(
  pickup: PickupAddress,
  { longitude, latitude }: { longitude: number; latitude: number },
): PickupAddress {
  return { ...pickup, location: { type: 'Point', coordinates: [longitude, latitude] } };
}
