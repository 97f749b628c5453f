import type { ShipmentPage, ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { SHIPMENT_VERSION } from '../dispatch/index.ts';
import { toEuros } from '../ledger/index.ts';
import { isOnTime, promisedUntil } from '../shipments/index.ts';
import { possibleActs } from './possible-acts.ts';

export type AnyRow = NonNullable<Awaited<ReturnType<typeof readAnyRow>>>;

/** Columns of a shipment of any account, with the names of merchant and driver. */
export const readAnyRow = (db: Database, shipmentId: string) =>
  db
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .leftJoin('drivers as d', 'd.id', 's.driver_id')
    .leftJoin('recipient_notes as n', (join) =>
      join.onRef('n.account_id', '=', 's.account_id').onRef('n.shipment_id', '=', 's.id'),
    )
    .selectAll('s')
    .select('n.note as recipientNote')
    .select(['a.name as accountName', 'd.phone_number as driverPhone', SHIPMENT_VERSION.as('version')])
    .select(sql<string | null>`d.first_name || ' ' || d.last_name`.as('driverName'))
    .select(sql<string | null>`s.scheduled_date::text`.as('date'))
    .select(
      sql<string | null>`(select i.kind from incidents i
        where (i.account_id, i.shipment_id) = (s.account_id, s.id) and i.resolved_at is null)`.as('incident'),
    )
    .select(
      sql<boolean>`exists (select from recipient_reports r
        where (r.account_id, r.shipment_id) = (s.account_id, s.id) and r.closed_at is null)`.as('hasOpenReport'),
    )
    .where('s.id', '=', shipmentId)
    .executeTakeFirst();

/** The facts above the story. Without the permission to dispatch, nothing names or locates the recipient. */
export function presentShipment(
  row: AnyRow,
  showsPerson: boolean,
  timeZone: string,
  now: Date,
): Omit<ShipmentPage, 'arrival'> {
  const promised = {
    slotStartsAt: row.slot_starts_at,
    estimatedDeliveryAt: row.estimated_delivery_at,
    createdAt: row.created_at,
  };
  const hasEnded = row.delivered_at ?? row.cancelled_at ?? row.returned_at;
  const status = row.status as ShipmentStatus;
  const { delivery_address: delivery, pickup_address: pickup } = row;
  const facts = {
    status,
    isReturned: row.returned_at !== null,
    hasOpenIncident: row.incident !== null,
    isPickupLocated: Boolean(pickup.location),
    isDeliveryLocated: Boolean(delivery.coordinates),
  };
  return {
    id: row.id,
    reference: row.reference_number,
    status,
    version: row.version,
    account: { id: row.account_id, name: row.accountName },
    driver: row.driver_id ? { id: row.driver_id, name: row.driverName ?? '', phone: row.driverPhone ?? '' } : null,
    recipient: showsPerson
      ? { name: delivery.recipientName, phone: delivery.phoneNumber, email: delivery.email }
      : null,
    pickup: { ...placeOf(pickup), isLocated: facts.isPickupLocated },
    delivery: { ...placeOf(delivery), isLocated: facts.isDeliveryLocated, ...(showsPerson ? {} : { street: '' }) },
    notes: showsPerson ? row.notes : null,
    recipientNote: showsPerson ? row.recipientNote : null,
    orderId: row.order_id,
    groupReference: row.group_reference,
    source: row.platform,
    isCollection: row.is_collection,
    price: toEuros(row.price_cents),
    weight: row.weight,
    nature: row.nature,
    slot: row.date && row.time_slot ? { date: row.date, timeSlot: row.time_slot } : null,
    promisedUntil: promisedUntil(promised, timeZone).toISOString(),
    createdAt: row.created_at.toISOString(),
    isLate: status !== 'cancelled' && !isOnTime(promised, hasEnded ?? now, timeZone),
    isReturned: facts.isReturned,
    isCodeLocked: row.code_locked_at !== null && !hasEnded,
    hasOpenReport: row.hasOpenReport,
    incident: row.incident,
    personalDataErasedAt: row.personal_data_erased_at?.toISOString() ?? null,
    possibleActs: possibleActs(facts),
  };
}

const placeOf = ({
  street,
  postalCode,
  city,
  country,
}: Record<'street' | 'postalCode' | 'city' | 'country', string>) => ({
  street: street ?? '',
  postalCode: postalCode ?? '',
  city: city ?? '',
  country: country ?? '',
});
