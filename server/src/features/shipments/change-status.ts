import { randomUUIDv7 } from 'node:crypto';
import type { ShipmentStatus } from '@navette/contract';
import { type SelectCallback, sql } from 'kysely';
import { localDay } from '../../calendar/local-calendar.ts';
import type { Tx } from '../../database/database.ts';
import type { DB } from '../../database/tables.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { followChangeJob, type ShipmentChange } from '../../jobs/definitions.ts';
import { payDriver } from '../driver-pay/index.ts';
import type { Resolution } from '../incidents/index.ts';
import { type Channel, type Trigger, transition } from './lifecycle.ts';
import { isOnTime } from './on-time.ts';
import { eventBody } from './shipment-json.ts';
import { writeStatus } from './write-status.ts';

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
  /** With `assign`: drivers whose offers were withdrawn. The follow-up job notifies them. */
  withdrawnFrom?: string[];
  /** With `cancel`. */
  reason?: string | null;
  /** With `cancel`: the name of the person who did it. */
  by?: string | null;
  /** With `cancel`: staff of the operator did it, not the merchant. */
  isByOperator?: boolean;
  /** With `deliver`: how the open incident ends, if there is one. */
  incident?: Resolution;
  /** Columns of the shipment to return after the change. Other tables are read as they were before it. */
  returning?: SelectCallback<DB, 'shipments'>;
}

type LockedOutcome =
  | { outcome: 'changed'; from: ShipmentStatus; to: ShipmentStatus; row?: object | null }
  | { outcome: 'not-allowed'; from: ShipmentStatus };

export type ChangeOutcome = LockedOutcome | { outcome: 'unknown' };

/** Locks the shipment and changes its status. */
export async function changeStatus(
  tx: Tx,
  jobs: JobSender,
  accountId: string,
  shipmentId: string,
  change: Change,
): Promise<ChangeOutcome> {
  const shipment = await lockForChange(tx)
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirst();
  return shipment ? changeLocked(tx, jobs, shipment, change) : { outcome: 'unknown' };
}

/** Locks shipments, and selects what a change of status needs. The caller adds the WHERE, and columns of its own. */
export const lockForChange = (tx: Tx) =>
  tx
    .selectFrom('shipments')
    .select(['account_id', 'id', 'status', 'reference_number', 'price_cents', 'platform', 'order_id', 'shop_domain'])
    .select(['driver_id', 'external_reference_extra', 'pickup_address', 'delivery_address', 'created_at', 'updated_at'])
    .select(['slot_starts_at as slotStartsAt', 'estimated_delivery_at as estimatedDeliveryAt', 'driver_pay_cents'])
    .select('returned_at')
    .forUpdate();

export type LockedForChange = Awaited<ReturnType<ReturnType<typeof lockForChange>['executeTakeFirstOrThrow']>>;

/**
 * The only code path that changes the status of a shipment, which the caller's transaction has locked with
 * `lockForChange` and not changed since. Applies the lifecycle, and writes the new status, its history, the account's
 * counters, the refund of a cancellation, the event and the follow-up job, if any. The lock serialises concurrent changes: the
 * second one sees the result of the first.
 */
export async function changeLocked(
  tx: Tx,
  jobs: JobSender,
  shipment: LockedForChange,
  change: Change,
): Promise<LockedOutcome> {
  const { account_id: accountId, id: shipmentId } = shipment;
  const from = shipment.status as ShipmentStatus;
  const step = shipment.returned_at ? null : transition(from, change.trigger, change.channel);
  if (!step) return { outcome: 'not-allowed', from };

  const at = new Date(Math.max(change.now.getTime(), shipment.updated_at.getTime())); // the history stays in time order, even when clocks differ
  const doneAt = change.doneAt ?? at;
  const driverId = driverAfter(change, shipment.driver_id);
  const eventId = step.event && randomUUIDv7();
  const event = step.event &&
    eventId && {
      id: eventId,
      type: step.event,
      at,
      body: eventBody(step.event, at, {
        id: shipmentId,
        accountId,
        referenceNumber: shipment.reference_number,
        status: step.to,
        priceCents: shipment.price_cents,
        externalReference: {
          platform: shipment.platform,
          orderId: shipment.order_id,
          shopDomain: shipment.shop_domain,
        },
        externalReferenceExtra: shipment.external_reference_extra,
        createdAt: shipment.created_at,
        updatedAt: at,
        pickupAddress: shipment.pickup_address,
        deliveryAddress: shipment.delivery_address,
        driverId,
      }),
    };
  const row = await writeStatus(tx, {
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
    event,
    delivery: step.to === 'delivered' ? deliveryOf(shipment, doneAt, change.timeZone) : null,
    incident: resolutionOf(change),
    returning: change.returning ?? null,
  });
  if (step.to === 'delivered') await payDriver(tx, paidRunOf(shipment), change.now);
  if (step.to === 'cancelled') await refund(tx, accountId, shipment, at, change.timeZone);
  const { withdrawnFrom = [] } = change;
  const followed = { accountId, shipmentId, status: step.to, eventId };
  if (isFollowed(followed)) {
    await jobs.send(tx, followChangeJob, withdrawnFrom.length > 0 ? { ...followed, withdrawnFrom } : followed);
  }
  return { outcome: 'changed', from, to: step.to, ...(change.returning ? { row } : {}) };
}

/** Nothing but its event follows a change to one of these: no message, no search. */
export const ONLY_EVENTS: readonly ShipmentStatus[] = ['picked_up', 'in_transit'];

const isFollowed = ({ status, eventId }: Pick<ShipmentChange, 'status' | 'eventId'>) =>
  eventId !== null || !ONLY_EVENTS.includes(status);

const paidRunOf = (shipment: LockedForChange) => ({
  accountId: shipment.account_id,
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
function resolutionOf({ trigger, isByOperator, incident, now }: Change): Resolution | null {
  if (trigger === 'cancel') return { resolution: 'cancelled', by: isByOperator ? 'operator' : 'merchant', now };
  if (trigger === 'abandon') return { resolution: 'tried_again', by: 'driver', now };
  return incident ?? null;
}

const deliveryOf = (shipment: LockedForChange, at: Date, timeZone: string) => ({
  day: localDay(at, timeZone),
  isOnTime: isOnTime({ ...shipment, createdAt: shipment.created_at }, at, timeZone),
});

/** Refunds the full price with a ledger entry. A unique index prevents a second refund. */
async function refund(tx: Tx, accountId: string, shipment: LockedForChange, at: Date, timeZone: string): Promise<void> {
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
