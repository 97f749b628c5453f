import { type Shipment, type ShipmentStatus, STATUS_LABELS, type TrackingAnswer } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { withoutUndefined } from '../../validation/without-undefined.ts';
import type { ShipmentReader } from './read-shipment.ts';
import { isReferenceNumber } from './reference-number.ts';

/** The fields that a tracking page needs; fields without a value yet are omitted. */
export async function trackShipment(
  db: Database,
  reader: ShipmentReader,
  accountId: string,
  referenceNumber: string,
): Promise<TrackingAnswer['tracking']> {
  const row = isReferenceNumber(referenceNumber) ? await find(db, accountId, referenceNumber) : undefined;
  if (!row) return trackArchived(await reader.documentByReference(accountId, referenceNumber));
  const status = row.status as ShipmentStatus;
  const optional = {
    pickupTime: row.picked_up_at?.toISOString(),
    deliveryTime: row.delivered_at?.toISOString(),
    estimatedDelivery: row.estimated_delivery_at?.toISOString(),
    from: row.from ?? undefined,
    to: row.to ?? undefined,
  };
  return {
    referenceNumber,
    status,
    statusLabel: STATUS_LABELS[status],
    createdAt: row.created_at.toISOString(),
    ...withoutUndefined(optional),
    deliverer: row.first_name === null || row.personal_data_erased_at ? null : `${row.first_name} ${row.last_name}`,
  };
}

interface Document extends Omit<Shipment, 'estimatedDeliveryDate'> {
  estimatedDeliveryDate: string | null;
  pickupTime: string | null;
  deliveryTime: string | null;
}

/** From the document, which has no driver's name after the erasure. */
function trackArchived(document: string): TrackingAnswer['tracking'] {
  const shipment = JSON.parse(document) as Document;
  const { referenceNumber, status, createdAt } = shipment;
  const optional = {
    pickupTime: shipment.pickupTime ?? undefined,
    deliveryTime: shipment.deliveryTime ?? undefined,
    estimatedDelivery: shipment.estimatedDeliveryDate ?? undefined,
    from: shipment.pickupAddress.city,
    to: shipment.deliveryAddress.city,
  };
  return {
    ...{ referenceNumber, status, statusLabel: STATUS_LABELS[status], createdAt },
    ...withoutUndefined(optional),
    deliverer: null,
  };
}

const find = (db: Database, accountId: string, referenceNumber: string) =>
  db
    .selectFrom('shipments as s')
    .leftJoin('drivers as d', 'd.id', 's.driver_id')
    .select(['s.status', 's.created_at', 's.picked_up_at', 's.delivered_at', 's.estimated_delivery_at'])
    .select(['d.first_name', 'd.last_name', 's.personal_data_erased_at'])
    .select([
      sql<string | null>`s.pickup_address->>'city'`.as('from'),
      sql<string | null>`s.delivery_address->>'city'`.as('to'),
    ])
    .where('s.reference_number', '=', referenceNumber)
    .where('s.account_id', '=', accountId)
    .executeTakeFirst();
