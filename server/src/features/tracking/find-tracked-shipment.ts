import type { Shipment, ShipmentStatus } from '@navette/contract';
import type { Database } from '../../database/database.ts';

export interface Place {
  latitude: number;
  longitude: number;
}

export interface TrackedShipment {
  id: string;
  referenceNumber: string;
  status: ShipmentStatus;
  history: { status: ShipmentStatus; at: Date }[];
  isCollection: boolean;
  merchantName: string;
  driver: { id: string; firstName: string } | null;
  deliveryCode: string;
  createdAt: Date;
  /** The end of the life of a shipment: delivered or cancelled. */
  endedAt: Date | null;
  slot: { startsAt: Date; endsAt: Date } | null;
  estimatedAt: Date | null;
  pickup: { city: string };
  delivery: { city: string; place: Place | null };
}

/** Across accounts: whoever holds a token that we signed for this reference may see it. */
export async function findShipmentForTokenHolder(
  db: Database,
  referenceNumber: string,
): Promise<TrackedShipment | null> {
  const row = await db
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .leftJoin('drivers as d', 'd.id', 's.driver_id')
    .select(['s.id', 's.reference_number', 's.status', 's.status_history', 's.is_collection', 's.delivery_code'])
    .select(['s.created_at', 's.delivered_at', 's.cancelled_at', 's.slot_starts_at', 's.estimated_delivery_at'])
    .select(['s.pickup_address', 's.delivery_address', 'a.name', 'd.id as driver_id', 'd.first_name'])
    .where('s.reference_number', '=', referenceNumber)
    .executeTakeFirst();
  if (!row) return null;
  const pickup = row.pickup_address as unknown as Shipment['pickupAddress'];
  const delivery = row.delivery_address as unknown as Shipment['deliveryAddress'];
  const history = row.status_history as unknown as { status: ShipmentStatus; at: string }[];
  return {
    id: row.id,
    referenceNumber: row.reference_number,
    status: row.status as ShipmentStatus,
    history: history.map(({ status, at }) => ({ status, at: new Date(at) })),
    isCollection: row.is_collection,
    merchantName: row.name,
    driver: row.driver_id && row.first_name ? { id: row.driver_id, firstName: row.first_name } : null,
    deliveryCode: row.delivery_code,
    createdAt: row.created_at,
    endedAt: row.delivered_at ?? row.cancelled_at,
    slot:
      row.slot_starts_at && row.estimated_delivery_at
        ? { startsAt: row.slot_starts_at, endsAt: row.estimated_delivery_at }
        : null,
    estimatedAt: row.estimated_delivery_at,
    pickup: { city: pickup.city },
    delivery: { city: delivery.city, place: delivery.coordinates },
  };
}
