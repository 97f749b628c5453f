import type { DriverShipment, Offer, ShipmentStatus } from '@navette/contract';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { DB } from '../../database/tables.ts';
import { isUuid } from '../../database/uuid.ts';
import { shownDistanceKm } from '../../geography/distance-km.ts';
import { refuseAsUnknownRun } from '../../refusals/driver-refusal.ts';
import { ACTIVE_RUN_LITERALS } from '../drivers/index.ts';

/** Reads across accounts, like every query here: the driver id is in the WHERE instead of the account id. */
export async function listRuns(db: Database, driverId: string, now: Date): Promise<DriverShipment[]> {
  const rows = await selectDriverColumns(db)
    .where('driver_id', '=', driverId)
    .where('status', 'in', ACTIVE_RUN_LITERALS)
    .where('returned_at', 'is', null)
    .execute();
  return rows.map((row) => presentRun(row, now)).sort((a, b) => (a.assignedAt ?? '').localeCompare(b.assignedAt ?? ''));
}

export async function readRun(db: Database, driverId: string, shipmentId: string, now: Date): Promise<DriverShipment> {
  if (!isUuid(shipmentId)) refuseAsUnknownRun();
  const row = await selectDriverColumns(db)
    .where('driver_id', '=', driverId)
    .where('shipments.id', '=', shipmentId)
    .executeTakeFirst();
  return row ? presentRun(row, now) : refuseAsUnknownRun();
}

const ENDED_AT = sql<Date>`coalesce(delivered_at, cancelled_at, returned_at)`; // uses the index shipments_ended_by_driver
const HISTORY_PAGE = 50;

/** The runs of this driver that ended, last ended first. A page that is not full is the last one. */
export async function listEndedRuns(
  db: Database,
  driverId: string,
  before: Date | null,
  now: Date,
): Promise<{ shippings: DriverShipment[]; nextBefore: string | null }> {
  const rows = await selectDriverColumns(db)
    .where('shipments.driver_id', '=', driverId)
    .where(ENDED_AT, 'is not', null)
    .$if(before !== null, (query) => query.where(ENDED_AT, '<', before as Date))
    .orderBy(ENDED_AT, 'desc')
    .limit(HISTORY_PAGE)
    .execute();
  const last = rows.length === HISTORY_PAGE ? rows.at(-1) : undefined;
  const lastEndedAt = last && (last.delivered_at ?? last.cancelled_at ?? last.returned_at);
  return { shippings: rows.map((row) => presentRun(row, now)), nextBefore: lastEndedAt?.toISOString() ?? null };
}

/** The columns that drivers may see. The delivery code, the price, metadata and e-mail addresses are not even read. */
export const driverColumns = (eb: ExpressionBuilder<DB, 'shipments'>) =>
  [
    ...(['shipments.account_id', 'shipments.id', 'reference_number', 'status', 'is_collection'] as const),
    ...(['pickup_address', 'delivery_address', 'collection_contact', 'weight', 'nature', 'notes'] as const),
    ...(['time_slot', 'slot_starts_at', 'status_history', 'picked_up_at', 'departed_at', 'delivered_at'] as const),
    ...(['cancelled_at', 'returned_at'] as const),
    latestIncident(eb).as('incident'),
    eb
      .selectFrom('recipient_notes as n')
      .select('n.note')
      .whereRef('n.account_id', '=', 'shipments.account_id')
      .whereRef('n.shipment_id', '=', 'shipments.id')
      .as('recipient_note'),
    sql<string | null>`scheduled_date::text`.as('slot_date'),
  ] as const;

export const selectDriverColumns = (db: Database) => db.selectFrom('shipments').select(driverColumns);

/** Kind, note and outcome; null without an incident. */
const latestIncident = (eb: ExpressionBuilder<DB, 'shipments'>) =>
  eb
    .selectFrom('incidents as i')
    .select(
      sql<DriverShipment['incident']>`json_build_object('id', i.id, 'kind', i.kind, 'note', i.note,
        'reportedAt', iso_instant(i.happened_at), 'resolvedAt', iso_instant(i.resolved_at), 'resolution', i.resolution)`.as(
        'incident',
      ),
    )
    .whereRef('i.account_id', '=', 'shipments.account_id')
    .whereRef('i.shipment_id', '=', 'shipments.id')
    .orderBy('i.happened_at', 'desc')
    .limit(1);

export type DriverRow = Awaited<ReturnType<ReturnType<typeof selectDriverColumns>['execute']>>[number];

const PERSONAL_DATA_SHOWN_MS = 48 * 3_600_000; // after the end of a run: questions come the same day or the next

/** A run of this driver, current or ended. */
export function presentRun(row: DriverRow, now: Date): DriverShipment {
  const endedAt = row.delivered_at ?? row.cancelled_at ?? row.returned_at;
  const isLongOver = endedAt !== null && now.getTime() - endedAt.getTime() >= PERSONAL_DATA_SHOWN_MS;
  const assignedAt = row.status_history.findLast(({ status }) => status === 'assigned')?.at ?? null;
  return { ...(isLongOver ? withoutPersonalData(presentAll(row)) : presentAll(row)), assignedAt };
}

/** Enough to accept or refuse. Several drivers see an offer and only one will carry the parcel, so no personal data. */
export function presentOffer(row: DriverRow): Pick<Offer, 'deliveryDistanceKm' | 'shipping'> {
  const whole = presentAll(row);
  const deliveryDistanceKm = shownDistanceKm(whole.pickup.coordinates, whole.delivery.coordinates);
  return { deliveryDistanceKm, shipping: withoutPersonalData(whole) };
}

/** Keeps the towns, and the shop's own pickup address. Of a collection, which is picked up at a home, the street is removed. */
function withoutPersonalData(shipment: DriverShipment): DriverShipment {
  const { pickup, delivery, isCollection } = shipment;
  return {
    ...shipment,
    pickup: isCollection ? { ...pickup, street: null, coordinates: null } : pickup,
    delivery: { ...delivery, street: null, coordinates: null, recipientName: null, phoneNumber: null },
    collectionContact: null,
    notes: null,
    incident: shipment.incident && { ...shipment.incident, note: null },
  };
}

function presentAll(row: DriverRow): DriverShipment {
  const { pickup_address: from, delivery_address: to, collection_contact: contact } = row;
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
    notes: [row.notes, row.recipient_note].filter(Boolean).join('\n') || null, // the merchant's, then the recipient's
    slot: {
      date: row.slot_date,
      timeSlot: row.time_slot,
      startsAt: row.slot_starts_at?.toISOString() ?? null,
    },
    assignedAt: null,
    pickedUpAt: row.picked_up_at?.toISOString() ?? null,
    departedAt: row.departed_at?.toISOString() ?? null,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    cancelledAt: row.cancelled_at?.toISOString() ?? null,
    incident: row.incident,
  };
}
