import { randomInt } from 'node:crypto';
import { localDay } from '../slots/index.ts';
import type { PreparedShipment } from './prepare-shipment.ts';
import { type Birth, eventBody } from './present.ts';

/** An account while its counters are locked: what it says is true until the transaction ends. */
export interface LockedAccount {
  accountId: string;
  balanceCents: number;
  lastEntry: number;
  lastShipment: number;
  lastShipmentAt: Date;
  paymentMode: 'prepaid' | 'deferred';
  creditLimitCents: number | null;
  changedAt: Date;
}

/** A shipment that may be created, with all that it takes. */
export interface Creation extends Birth {
  shipment: PreparedShipment;
  number: number;
  entry: number;
  balanceAfterCents: number;
  eventId: string;
}

/** The two JSON parameters of WRITE_CREATIONS. */
export function toRows(
  creations: Creation[],
  accounts: Map<string, LockedAccount>,
  timeZone: string,
): [string, string] {
  const byAccount = Map.groupBy(creations, ({ shipment }) => shipment.accountId);
  const accountRows = [...byAccount].map(([accountId, own]) => {
    const account = accounts.get(accountId) as LockedAccount;
    const programmed = own.filter(({ shipment }) => shipment.status === 'programmed').length;
    return {
      account_id: accountId,
      balance_cents: account.balanceCents,
      last_entry: account.lastEntry,
      last_shipment: account.lastShipment,
      last_shipment_at: account.lastShipmentAt,
      day: localDay(account.lastShipmentAt, timeZone), // one batch, one instant, one day
      programmed,
      created: own.length - programmed,
      amount_cents: own.reduce((sum, { shipment }) => sum + shipment.priceCents, 0),
    };
  });
  return [JSON.stringify(accountRows), JSON.stringify(creations.map(toShipmentRow))];
}

function toShipmentRow(creation: Creation) {
  const { shipment, id, createdAt } = creation;
  const { schedule, externalReference } = shipment;
  return {
    account_id: shipment.accountId,
    id,
    number: creation.number,
    reference_number: creation.referenceNumber,
    status: shipment.status,
    price_cents: shipment.priceCents,
    weight: shipment.parcelDetails.weight,
    nature: shipment.parcelDetails.nature,
    notes: shipment.notes,
    is_collection: shipment.isCollection,
    group_reference: shipment.groupReference,
    pickup_address: shipment.pickupAddress,
    delivery_address: shipment.deliveryAddress,
    scheduled_date: schedule?.date,
    time_slot: schedule?.label,
    slot_starts_at: schedule?.startsAt,
    activate_at: shipment.activateAt,
    estimated_delivery_at: shipment.estimatedDelivery ?? createdAt,
    platform: externalReference.platform,
    order_id: externalReference.orderId,
    shop_domain: externalReference.shopDomain,
    metadata: shipment.metadata,
    collection_contact: shipment.collectionContact ?? undefined,
    delivery_code: newDeliveryCode(),
    label_suffix: creation.labelSuffix,
    created_at: createdAt,
    idempotency_key: shipment.idempotencyKey,
    entry: creation.entry,
    balance_after_cents: creation.balanceAfterCents,
    event_id: creation.eventId,
    event_body: eventBody('shipping.created', createdAt, {
      id,
      accountId: shipment.accountId,
      referenceNumber: creation.referenceNumber,
      status: shipment.status,
      priceCents: shipment.priceCents,
      externalReference,
      createdAt,
      updatedAt: createdAt,
      pickupAddress: shipment.pickupAddress,
      deliveryAddress: shipment.deliveryAddress,
      driverId: null,
    }),
  };
}

/** Six digits that the recipient reads to the driver. */
const newDeliveryCode = () => String(randomInt(1_000_000)).padStart(6, '0');
