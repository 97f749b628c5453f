import { randomUUIDv7 } from 'node:crypto';
import type { ShipmentStatus } from '@navette/contract';
import { sql, type UpdateObject } from 'kysely';
import { localDay } from '../../calendar/local-calendar.ts';
import type { Tx } from '../../database/database.ts';
import type { DB } from '../../database/tables.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { followChangeJob } from '../../jobs/definitions.ts';
import { payDriver } from '../driver-pay/index.ts';
import { endIncident } from '../incidents/index.ts';
import { type Channel, type Trigger, transition } from './lifecycle.ts';
import { isOnTime } from './on-time.ts';
import { eventBody } from './shipment-json.ts';

export interface Change {
  trigger: Trigger;
  channel: Channel;
  /** By the account's clock. */
  now: Date;
  timeZone: string;
  /** With `pick_up`, `depart` and `deliver`: when the driver did it, if earlier than `now`. */
  doneAt?: Date;
  /** With `assign`. */
  driverId?: string;
  /** With `assign`: what this driver gets on delivery. */
  payCents?: number;
  /** With `cancel`. */
  reason?: string | null;
  /** With `cancel`: the name of the person who did it. */
  by?: string | null;
  /** With `cancel`: staff of the operator did it, not the merchant. */
  isByOperator?: boolean;
}

export type ChangeOutcome =
  | { outcome: 'changed'; from: ShipmentStatus; to: ShipmentStatus }
  | { outcome: 'not-allowed'; from: ShipmentStatus }
  | { outcome: 'unknown' };

/**
 * The only code path that changes the status of a shipment. Locks the shipment, applies the lifecycle, and writes the new
 * status, its history, the account's counters, the refund of a cancellation, the event and the follow-up job, all in the
 * caller's transaction. The lock serialises concurrent changes: the second one sees the result of the first.
 */
export async function changeStatus(
  tx: Tx,
  jobs: JobSender,
  accountId: string,
  shipmentId: string,
  change: Change,
): Promise<ChangeOutcome> {
  const shipment = await lockShipment(tx, accountId, shipmentId);
  if (!shipment) return { outcome: 'unknown' };
  const from = shipment.status as ShipmentStatus;
  const step = shipment.returned_at ? null : transition(from, change.trigger, change.channel);
  if (!step) return { outcome: 'not-allowed', from };

  const at = new Date(Math.max(change.now.getTime(), shipment.updated_at.getTime())); // the history stays in time order, even when clocks differ
  const doneAt = change.doneAt ?? at;
  const driverId = driverAfter(change, shipment.driver_id);
  const write: StatusWrite = {
    accountId,
    shipmentId,
    from,
    to: step.to,
    columns: {
      status: step.to,
      driver_id: driverId,
      ...(change.trigger === 'assign' || change.trigger === 'abandon'
        ? { driver_pay_cents: change.payCents ?? 0 }
        : {}),
      updated_at: at,
      status_history: sql`status_history || jsonb_build_object('status', ${step.to}::text, 'at', iso_instant(${at}))`,
      ...(step.to === 'picked_up' ? { picked_up_at: doneAt } : {}),
      ...(step.to === 'in_transit' ? { departed_at: doneAt } : {}),
      ...(step.to === 'delivered' ? { delivered_at: doneAt } : {}),
      ...(step.to === 'cancelled'
        ? { cancelled_at: at, cancel_reason: change.reason ?? null, cancelled_by: change.by ?? null }
        : {}),
    },
  };
  const eventId = step.event && randomUUIDv7();
  if (step.event && eventId) {
    const body = eventBody(step.event, at, {
      id: shipmentId,
      accountId,
      referenceNumber: shipment.reference_number,
      status: step.to,
      priceCents: shipment.price_cents,
      externalReference: { platform: shipment.platform, orderId: shipment.order_id, shopDomain: shipment.shop_domain },
      externalReferenceExtra: shipment.external_reference_extra,
      createdAt: shipment.created_at,
      updatedAt: at,
      pickupAddress: shipment.pickup_address,
      deliveryAddress: shipment.delivery_address,
      driverId,
    });
    await writeWithEvent(tx, write, { id: eventId, type: step.event, body, at });
  } else await writeWithoutEvent(tx, write);
  if (step.to === 'delivered') await countDelivery(tx, accountId, shipment, doneAt, change.timeZone);
  if (step.to === 'delivered') await payDriver(tx, paidRunOf(accountId, shipment), change.now);
  await endOpenIncident(tx, accountId, shipmentId, change);
  if (step.to === 'cancelled') await refund(tx, accountId, shipment, at, change.timeZone);
  await jobs.send(tx, followChangeJob, { accountId, shipmentId, status: step.to, eventId });
  return { outcome: 'changed', from, to: step.to };
}

const lockShipment = (tx: Tx, accountId: string, shipmentId: string) =>
  tx
    .selectFrom('shipments')
    .select(['id', 'status', 'reference_number', 'price_cents', 'platform', 'order_id', 'shop_domain', 'driver_id'])
    .select(['external_reference_extra', 'pickup_address', 'delivery_address', 'created_at', 'updated_at'])
    .select(['slot_starts_at as slotStartsAt', 'estimated_delivery_at as estimatedDeliveryAt', 'driver_pay_cents'])
    .select('returned_at')
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .forUpdate()
    .executeTakeFirst();

type LockedShipment = NonNullable<Awaited<ReturnType<typeof lockShipment>>>;

const paidRunOf = (accountId: string, shipment: LockedShipment) => ({
  accountId,
  id: shipment.id,
  referenceNumber: shipment.reference_number,
  driverId: shipment.driver_id,
  payCents: shipment.driver_pay_cents,
});

function driverAfter({ trigger, driverId }: Change, current: string | null): string | null {
  if (trigger === 'assign') return driverId ?? current;
  return trigger === 'abandon' ? null : current;
}

/** A cancelled parcel needs no decision any more, and one that was given back is another driver's. */
async function endOpenIncident(tx: Tx, accountId: string, shipmentId: string, change: Change): Promise<void> {
  const { trigger, isByOperator, now } = change;
  const by = isByOperator ? 'operator' : 'merchant';
  if (trigger === 'cancel') await endIncident(tx, accountId, shipmentId, { resolution: 'cancelled', by, now });
  if (trigger === 'abandon')
    await endIncident(tx, accountId, shipmentId, { resolution: 'tried_again', by: 'driver', now });
}

/** The new values of the shipment, whose lock is held, and the counts that the change moves. */
interface StatusWrite {
  accountId: string;
  shipmentId: string;
  from: ShipmentStatus;
  to: ShipmentStatus;
  columns: UpdateObject<DB, 'shipments'>;
}

/**
 * Writes shipment, counters and event in one statement. Lock order everywhere: the shipment, then the account's counters.
 * The counters stay locked until the commit, so the events of an account become visible in the order of their positions in
 * the feed.
 */
async function writeWithEvent(
  tx: Tx,
  { accountId, shipmentId, from, to, columns }: StatusWrite,
  { id, type, body, at }: { id: string; type: string; body: string; at: Date },
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .with('moved', (query) => updateShipment(query, accountId, shipmentId, columns))
    .with('counted', (query) =>
      query
        .updateTable('account_counters')
        .set({ ...movedCounts(from, to), last_event: sql`last_event + 1` })
        .where('account_id', '=', accountId)
        .returning('last_event'),
    )
    .insertInto('events')
    .columns(['account_id', 'id', 'shipment_id', 'type', 'body', 'created_at', 'feed_position'])
    .expression((eb) =>
      eb
        .selectFrom('counted')
        .select([
          sql<string>`${accountId}::uuid`.as('account_id'),
          sql<string>`${id}::uuid`.as('id'),
          sql<string>`${shipmentId}::uuid`.as('shipment_id'),
          sql<string>`${type}`.as('type'),
          sql<string>`${body}`.as('body'),
          sql<Date>`${at}::timestamptz`.as('created_at'),
          'last_event',
        ]),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new Error('the account has no counters');
}

async function writeWithoutEvent(tx: Tx, { accountId, shipmentId, from, to, columns }: StatusWrite): Promise<void> {
  if (from === to) {
    await updateShipment(tx, accountId, shipmentId, columns).execute();
    return;
  }
  await tx
    .with('moved', (query) => updateShipment(query, accountId, shipmentId, columns))
    .updateTable('account_counters')
    .set(movedCounts(from, to))
    .where('account_id', '=', accountId)
    .execute();
}

const updateShipment = (
  query: Pick<Tx, 'updateTable'>,
  accountId: string,
  shipmentId: string,
  columns: UpdateObject<DB, 'shipments'>,
) => query.updateTable('shipments').set(columns).where('account_id', '=', accountId).where('id', '=', shipmentId);

/** Nothing moves in a reassignment. */
const movedCounts = (from: ShipmentStatus, to: ShipmentStatus) =>
  from === to ? {} : { [from]: sql`${sql.ref(from)} - 1`, [to]: sql`${sql.ref(to)} + 1` };

async function countDelivery(tx: Tx, accountId: string, shipment: LockedShipment, at: Date, timeZone: string) {
  const onTime = isOnTime({ ...shipment, createdAt: shipment.created_at }, at, timeZone) ? 1 : 0;
  await sql`
    insert into daily_deliveries as d (account_id, day, delivered, on_time)
    values (${accountId}, ${localDay(at, timeZone)}::date, 1, ${onTime})
    on conflict (account_id, day) do update set delivered = d.delivered + 1, on_time = d.on_time + excluded.on_time
  `.execute(tx);
}

/** Refunds the full price with a ledger entry. A unique index prevents a second refund. */
async function refund(tx: Tx, accountId: string, shipment: LockedShipment, at: Date, timeZone: string): Promise<void> {
  await sql`
    with counted as (
      update account_counters
      set balance_cents = balance_cents + ${shipment.price_cents}, last_entry = last_entry + 1,
          amount_cents = amount_cents - ${shipment.price_cents}
      where account_id = ${accountId}
      returning balance_cents, last_entry
    ), dated as (
      update daily_totals set amount_cents = amount_cents - ${shipment.price_cents}
      where account_id = ${accountId} and day = ${localDay(shipment.created_at, timeZone)}::date
    )
    insert into ledger_entries (account_id, entry, kind, amount_cents, balance_after_cents, shipment_id, created_at)
    select ${accountId}, last_entry, 'refund', ${shipment.price_cents}, balance_cents, ${shipment.id}, ${at} from counted
  `.execute(tx);
}
