import type { DriverShipment, Shipment, ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

/** The columns that a driver's view is made of: no delivery code, price, metadata or e-mail is even read. */
export const selectViews = (db: Database) =>
  db
    .selectFrom('shipments')
    .select(['shipments.account_id', 'shipments.id', 'reference_number', 'status', 'is_collection', 'pickup_address'])
    .select(['delivery_address', 'collection_contact', 'weight', 'nature', 'notes', 'time_slot', 'slot_starts_at'])
    .select(['status_history', 'picked_up_at', 'departed_at', 'delivered_at'])
    .select(sql<string | null>`scheduled_date::text`.as('slot_date'));

type ViewRow = Awaited<ReturnType<ReturnType<typeof selectViews>['execute']>>[number];

/** What a driver may know of a shipment that is theirs (`mine`) or offered to them. */
export function viewForDriver(row: ViewRow, mine: boolean): DriverShipment {
  const from = row.pickup_address as unknown as Shipment['pickupAddress'];
  const to = row.delivery_address as unknown as Shipment['deliveryAddress'];
  const contact = row.collection_contact as unknown as { name: string | null; phoneNumber: string } | null;
  const history = row.status_history as unknown as { status: ShipmentStatus; at: string }[];
  const [longitude, latitude] = from.location?.coordinates ?? [];
  return {
    id: row.id,
    referenceNumber: row.reference_number,
    status: row.status as ShipmentStatus,
    isCollection: row.is_collection,
    pickup: {
      street: from.street,
      city: from.city,
      postalCode: from.postalCode,
      country: from.country,
      coordinates: latitude === undefined || longitude === undefined ? null : { latitude, longitude },
    },
    delivery: {
      street: to.street,
      city: to.city,
      postalCode: to.postalCode,
      country: to.country,
      coordinates: to.coordinates,
      recipientName: to.recipientName,
      phoneNumber: to.phoneNumber,
    },
    collectionContact: row.is_collection && contact ? { name: contact.name, phoneNumber: contact.phoneNumber } : null,
    parcel: { weight: row.weight, nature: row.nature },
    notes: row.notes,
    slot: {
      date: row.slot_date,
      timeSlot: row.time_slot,
      startsAt: row.slot_starts_at?.toISOString() ?? null,
    },
    assignedAt: mine ? (history.findLast(({ status }) => status === 'assigned')?.at ?? null) : null,
    pickedUpAt: row.picked_up_at?.toISOString() ?? null,
    departedAt: row.departed_at?.toISOString() ?? null,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
  };
}
