import type { MapPoint, ShipmentStatus } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { distanceKm } from '../../geography/distance-km.ts';
import type { AnyRow } from './read-shipment-facts.ts';

/** The commands that are done at an address, and the status that they lead to. */
const STEPS = { pickUp: 'picked_up', deliver: 'delivered' } as const satisfies Record<string, ShipmentStatus>;

/** How far from the address the driver's phone was at each step, in metres. Unknown ones are left out. */
export async function readDistances(
  db: Database,
  { id, driver_id: driverId, pickup_address: pickup, delivery_address: delivery }: AnyRow,
): Promise<Partial<Record<ShipmentStatus, number>>> {
  if (!driverId) return {};
  const [longitude, latitude] = pickup.location?.coordinates ?? [];
  const address: Record<keyof typeof STEPS, MapPoint | null> = {
    pickUp: latitude === undefined || longitude === undefined ? null : { latitude, longitude },
    deliver: delivery.coordinates,
  };
  const places = await db
    .selectFrom('driver_commands')
    .select(['name', 'latitude', 'longitude'])
    .where('shipment_id', '=', id)
    .where('driver_id', '=', driverId)
    .where('latitude', 'is not', null)
    .where('refusal', 'is', null)
    .orderBy('received_at')
    .execute();
  const distances: Partial<Record<ShipmentStatus, number>> = {};
  for (const { name, latitude, longitude } of places) {
    const to = name in STEPS ? address[name as keyof typeof STEPS] : null;
    if (!to || latitude === null || longitude === null) continue;
    distances[STEPS[name as keyof typeof STEPS]] = Math.round(distanceKm({ latitude, longitude }, to) * 100) * 10;
  }
  return distances;
}
