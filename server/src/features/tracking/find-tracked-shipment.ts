import type { ShipmentStatus } from '@navette/contract';
import type { TwinClock } from '../../calendar/twin-clock.ts';
import type { Database } from '../../database/database.ts';
import { toClock } from '../accounts/index.ts';

/** The recipient of the parcel, the contact of a collection, or anybody with the link that the merchant shares. */
export type Viewer = 'recipient' | 'contact' | 'guest';

export interface Coordinates {
  latitude: number;
  longitude: number;
}

export interface TrackedShipment {
  accountId: string;
  id: string;
  referenceNumber: string;
  status: ShipmentStatus;
  history: { status: ShipmentStatus; at: Date }[];
  isCollection: boolean;
  merchantName: string;
  clock: TwinClock;
  /** Another cell serves the account. */
  isMoved: boolean;
  driver: { id: string; firstName: string } | null;
  /** Null once it was erased, some time after delivery or cancellation. */
  deliveryCode: string | null;
  createdAt: Date;
  /** When it was delivered or cancelled. */
  endedAt: Date | null;
  /** By the operator, without the code. */
  isConfirmedByOperator: boolean;
  /** Its personal data was erased: there is nothing left to show. */
  isErased: boolean;
  slot: { startsAt: Date; endsAt: Date } | null;
  estimatedAt: Date | null;
  /** Of the merchant, as they want recipients to have it. */
  shop: { email: string | null; phone: string | null; hasLogo: boolean };
  /** By the recipient, for the driver. */
  recipientNote: string | null;
  pickup: { city: string };
  delivery: { street: string; postalCode: string; city: string; coordinates: Coordinates | null };
}

/** Reads across accounts: a token signed for this reference is the permission. */
export async function findShipmentForTokenHolder(
  db: Database,
  referenceNumber: string,
): Promise<TrackedShipment | null> {
  const row = await db
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .leftJoin('shop_pages as p', 'p.account_id', 's.account_id')
    .leftJoin('recipient_notes as n', (join) =>
      join.onRef('n.account_id', '=', 's.account_id').onRef('n.shipment_id', '=', 's.id'),
    )
    .leftJoin('drivers as d', 'd.id', 's.driver_id')
    .select([
      's.account_id',
      's.id',
      's.reference_number',
      's.status',
      's.status_history',
      's.is_collection',
      's.delivery_code',
    ])
    .select([
      's.personal_data_erased_at',
      's.created_at',
      's.delivered_at',
      's.delivery_reason',
      's.cancelled_at',
      's.slot_starts_at',
      's.estimated_delivery_at',
    ])
    .select(['a.clock_ahead_ms', 'a.clock_held_at', 'a.moved_to'])
    .select(['s.pickup_address', 's.delivery_address', 'a.name', 'd.id as driver_id', 'd.first_name'])
    .select('n.note')
    .select(['p.contact_email', 'p.contact_phone', 'p.logo_type'])
    .where('s.reference_number', '=', referenceNumber)
    .executeTakeFirst();
  if (!row) return null;
  return {
    accountId: row.account_id,
    id: row.id,
    referenceNumber: row.reference_number,
    status: row.status as ShipmentStatus,
    history: row.status_history.map(({ status, at }) => ({ status, at: new Date(at) })),
    isCollection: row.is_collection,
    merchantName: row.name,
    clock: toClock(row),
    isMoved: row.moved_to !== null,
    driver: row.driver_id && row.first_name ? { id: row.driver_id, firstName: row.first_name } : null,
    deliveryCode: row.delivery_code,
    createdAt: row.created_at,
    endedAt: row.delivered_at ?? row.cancelled_at,
    isConfirmedByOperator: row.delivery_reason !== null,
    isErased: row.personal_data_erased_at !== null,
    slot:
      row.slot_starts_at && row.estimated_delivery_at
        ? { startsAt: row.slot_starts_at, endsAt: row.estimated_delivery_at }
        : null,
    estimatedAt: row.estimated_delivery_at,
    pickup: { city: row.pickup_address.city },
    recipientNote: row.note,
    shop: { email: row.contact_email, phone: row.contact_phone, hasLogo: row.logo_type !== null },
    delivery: {
      street: row.delivery_address.street,
      postalCode: row.delivery_address.postalCode,
      city: row.delivery_address.city,
      coordinates: row.delivery_address.coordinates,
    },
  };
}

/** Whether the reference is that of an archived shipment, which ended long ago. */
export async function isArchivedForTokenHolder(db: Database, referenceNumber: string): Promise<boolean> {
  const found = await db
    .selectFrom('archived_shipments')
    .select('number')
    .where('reference_number', '=', referenceNumber)
    .executeTakeFirst();
  return found !== undefined;
}

/** The logo of the merchant of this shipment. */
export async function findLogoForTokenHolder(db: Database, shipmentId: string) {
  const row = await db
    .selectFrom('shipments as s')
    .innerJoin('shop_pages as p', 'p.account_id', 's.account_id')
    .select(['p.logo', 'p.logo_type as contentType'])
    .where('s.id', '=', shipmentId)
    .executeTakeFirst();
  return row?.logo && row.contentType ? { bytes: row.logo, contentType: row.contentType } : null;
}
