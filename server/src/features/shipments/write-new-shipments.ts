import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { localDay } from '../../calendar/local-calendar.ts';
import type { TwinClock } from '../../calendar/twin-clock.ts';
import type { Trace } from '../../observability/trace-context.ts';
import type { PreparedShipment } from './prepare-shipment.ts';
import type { CreatedIds } from './shipment-json.ts';

/** An account while its counters are locked: these values hold until the transaction ends. */
export interface LockedAccount extends TwinClock {
  accountId: string;
  balanceCents: number;
  lastEntry: number;
  lastShipment: number;
  lastEvent: number;
  lastShipmentAt: Date;
  paymentMode: 'prepaid' | 'deferred';
  creditLimitCents: number | null;
  settingsVersion: number;
}

/** A shipment that passed every check, with the ids and numbers assigned to it. */
export interface NewShipment extends CreatedIds {
  shipment: PreparedShipment;
  /** The request or import that creates it. */
  trace: Trace | undefined;
  number: number;
  entry: number;
  balanceAfterCents: number;
  paymentMode: LockedAccount['paymentMode'];
  eventId: string;
  /** Of the event in the feed. */
  eventPosition: number;
  eventBody: string;
}

/** Writes a whole batch with one statement, prepared once per connection under its name. */
export async function writeNewShipments(
  client: pg.PoolClient,
  newShipments: NewShipment[],
  accounts: Map<string, LockedAccount>,
  timeZone: string,
): Promise<void> {
  const values = [toAccountRows(newShipments, accounts, timeZone), newShipments.map(toShipmentRow)];
  await client.query({ ...INSERT_STATEMENT, values: values.map((rows) => JSON.stringify(rows)) });
}

/**
 * Parameters, both JSON: $1 the changes per account, $2 the shipments with their ledger entry and event. Keys are
 * inserted in sorted order to avoid deadlocks. A key that a concurrent transaction has just used, an occurrence or a
 * reference that exists already, violates its unique index and aborts the transaction; the batch is then retried.
 */
const INSERT_STATEMENT = {
  name: 'insert-shipments',
  text: `
    with account as materialized (
      select * from json_to_recordset($1) as a (
        account_id uuid, balance_cents bigint, last_entry bigint, last_shipment bigint, last_event bigint,
        last_shipment_at timestamptz, day date, programmed int, created int, amount_cents bigint)
    ), shipment as materialized (
      select * from json_to_recordset($2) as s (
        account_id uuid, id uuid, number bigint, reference_number text, status text, price_cents int,
        weight double precision, nature text, notes text, is_collection boolean, group_reference text,
        pickup_address json, delivery_address json, scheduled_date date, time_slot text, slot_starts_at timestamptz,
        activate_at timestamptz, estimated_delivery_at timestamptz, platform text, order_id text, shop_domain text,
        external_reference_extra json, metadata json, collection_contact json, delivery_code text, label_suffix text,
        created_at timestamptz, idempotency_key text, entry bigint, balance_after_cents bigint, payment_mode text,
        event_id uuid, event_position bigint, event_body text, schedule_id uuid, occurrence_day date)
    ), counted as (
      update account_counters c
      set balance_cents = a.balance_cents, last_entry = a.last_entry, last_shipment = a.last_shipment,
          last_shipment_at = a.last_shipment_at, last_event = a.last_event, amount_cents = c.amount_cents + a.amount_cents,
          programmed = c.programmed + a.programmed, created = c.created + a.created
      from account a where c.account_id = a.account_id
    ), dated as (
      insert into daily_totals as d (account_id, day, shipments, amount_cents)
      select account_id, day, programmed + created, amount_cents from account
      on conflict (account_id, day) do update
      set shipments = d.shipments + excluded.shipments, amount_cents = d.amount_cents + excluded.amount_cents
    ), claimed as (
      insert into idempotency_keys (key, account_id, shipment_id)
      select idempotency_key, account_id, id from shipment where idempotency_key is not null order by idempotency_key
    ), occurred as (
      insert into recurring_occurrences (account_id, schedule_id, day, shipment_id)
      select account_id, schedule_id, occurrence_day, id from shipment where schedule_id is not null
      order by schedule_id, occurrence_day
    ), charged as (
      insert into ledger_entries
        (account_id, entry, kind, amount_cents, balance_after_cents, payment_mode, shipment_id, created_at)
      select account_id, entry, 'charge', -price_cents, balance_after_cents, payment_mode, id, created_at from shipment
    ), announced as (
      insert into events (account_id, id, shipment_id, type, body, created_at, feed_position)
      select account_id, event_id, id, 'shipping.created', event_body, created_at, event_position from shipment
    )
    insert into shipments
      (account_id, id, number, reference_number, status, price_cents, weight, nature, notes, is_collection,
       group_reference, pickup_address, delivery_address, scheduled_date, time_slot, slot_starts_at, activate_at,
       estimated_delivery_at, platform, order_id, shop_domain, external_reference_extra, metadata, collection_contact,
       delivery_code, label_suffix, status_history, created_at, updated_at)
    select
       account_id, id, number, reference_number, status, price_cents, weight, nature, notes, is_collection,
       group_reference, pickup_address, delivery_address, scheduled_date, time_slot, slot_starts_at, activate_at,
       estimated_delivery_at, platform, order_id, shop_domain, external_reference_extra, metadata, collection_contact,
       delivery_code, label_suffix, jsonb_build_array(jsonb_build_object('status', status, 'at', iso_instant(created_at))),
       created_at, created_at
    from shipment`,
};

function toAccountRows(newShipments: NewShipment[], accounts: Map<string, LockedAccount>, timeZone: string) {
  const byAccount = Map.groupBy(newShipments, ({ shipment }) => shipment.accountId);
  return [...byAccount].map(([accountId, own]) => {
    const account = accounts.get(accountId) as LockedAccount;
    const programmed = own.filter(({ shipment }) => shipment.status === 'programmed').length;
    return {
      account_id: accountId,
      balance_cents: account.balanceCents,
      last_entry: account.lastEntry,
      last_shipment: account.lastShipment,
      last_event: account.lastEvent,
      last_shipment_at: account.lastShipmentAt,
      day: localDay(account.lastShipmentAt, timeZone), // one batch, one instant, one day
      programmed,
      created: own.length - programmed,
      amount_cents: own.reduce((sum, { shipment }) => sum + shipment.priceCents, 0),
    };
  });
}

function toShipmentRow(newShipment: NewShipment) {
  const { shipment, id, createdAt } = newShipment;
  const { schedule, externalReference, externalReferenceExtra } = shipment;
  return {
    account_id: shipment.accountId,
    id,
    number: newShipment.number,
    reference_number: newShipment.referenceNumber,
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
    external_reference_extra: externalReferenceExtra ?? undefined,
    metadata: shipment.metadata,
    collection_contact: shipment.collectionContact ?? undefined,
    delivery_code: newDeliveryCode(),
    label_suffix: newShipment.labelSuffix,
    created_at: createdAt,
    idempotency_key: shipment.idempotencyKey,
    entry: newShipment.entry,
    balance_after_cents: newShipment.balanceAfterCents,
    payment_mode: newShipment.paymentMode,
    event_id: newShipment.eventId,
    event_position: newShipment.eventPosition,
    event_body: newShipment.eventBody,
    schedule_id: shipment.occurrence?.scheduleId,
    occurrence_day: shipment.occurrence?.day,
  };
}

/** Six digits that the recipient gives the driver. */
const newDeliveryCode = () => String(randomInt(1_000_000)).padStart(6, '0');
