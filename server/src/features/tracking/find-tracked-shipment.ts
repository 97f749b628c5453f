import type { ShipmentStatus } from '@navette/contract';
import type { Database } from '../../database/database.ts';

export interface Coordinates {
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
  /** Null once it was erased, some time after delivery or cancellation. */
  deliveryCode: string | null;
  createdAt: Date;
  /** When it was delivered or cancelled. */
  endedAt: Date | null;
  /** Its personal data was erased: there is nothing left to show. */
  isErased: boolean;
  slot: { startsAt: Date; endsAt: Date } | null;
  estimatedAt: Date | null;
  pickup: { city: string };
  delivery: { city: string; coordinates: Coordinates | null };
}

/** Reads across accounts: a token signed for this reference is the permission. */
export async function findShipmentForTokenHolder(
  db: Database,
  referenceNumber: string,
): Promise<TrackedShipment | null> {
  const row = await db
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .leftJoin('drivers as d', 'd.id', 's.driver_id')
    .select(['s.id', 's.reference_number', 's.status', 's.status_history', 's.is_collection', 's.delivery_code'])
    .select([
      's.personal_data_erased_at',
      's.created_at',
      's.delivered_at',
      's.cancelled_at',
      's.slot_starts_at',
      's.estimated_delivery_at',
    ])
    .select(['s.pickup_address', 's.delivery_address', 'a.name', 'd.id as driver_id', 'd.first_name'])
    .where('s.reference_number', '=', referenceNumber)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    referenceNumber: row.reference_number,
    status: row.status as ShipmentStatus,
    history: row.status_history.map(({ status, at }) => ({ status, at: new Date(at) })),
    isCollection: row.is_collection,
    merchantName: row.name,
    driver: row.driver_id && row.first_name ? { id: row.driver_id, firstName: row.first_name } : null,
    deliveryCode: row.delivery_code,
    createdAt: row.created_at,
    endedAt: row.delivered_at ?? row.cancelled_at,
    isErased: row.personal_data_erased_at !== null,
    slot:
      row.slot_starts_at && row.estimated_delivery_at
        ? { startsAt: row.slot_starts_at, endsAt: row.estimated_delivery_at }
        : null,
    estimatedAt: row.estimated_delivery_at,
    pickup: { city: row.pickup_address.city },
    delivery: { city: row.delivery_address.city, coordinates: row.delivery_address.coordinates },
  };
}
