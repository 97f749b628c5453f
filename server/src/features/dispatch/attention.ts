import { MAX_WRONG_DELIVERY_CODES, type MapPoint, type ShipmentStatus } from '@navette/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { ACTIVE_RUN_LITERALS } from '../drivers/index.ts';

/** The columns of every list of shipments across accounts, which leave test twins out. */
export type AnyShipment = {
  shipmentId: string;
  reference: string;
  accountId: string;
  account: string;
};

const SHIPMENT = sql`s.id as "shipmentId", s.reference_number as reference, s.account_id as "accountId", a.name as account`;
const DRIVER = sql`d.id as "driverId", d.first_name || ' ' || d.last_name as driver, d.phone_number as "driverPhone"`;

interface OfDriver {
  driverId: string | null;
  driver: string | null;
  driverPhone: string | null;
}

/** Rows at most; without it all of them. */
const atMost = (limit: number | undefined): RawBuilder<unknown> => (limit === undefined ? sql`` : sql`limit ${limit}`);

/** Shipments of any account that went through all waves without finding a driver, longest first. Not those in a zone. */
export async function listAnyUnassigned(db: Database, limit?: number) {
  const { rows } = await sql<
    AnyShipment & { waitingSince: Date; spentAt: Date; rounds: number; asked: number; from: string | null }
  >`
    select ${SHIPMENT}, q.started_at as "waitingSince", q.spent_at as "spentAt",
           greatest(1, q.round - 1) as rounds,
           (select count(distinct o.driver_id) from driver_offers o where o.account_id = s.account_id
            and o.shipment_id = s.id and o.search_id = q.id) as asked,
           s.pickup_address->>'city' as "from"
    from driver_searches q
    join shipments s on (s.account_id, s.id) = (q.account_id, q.shipment_id)
    join accounts a on a.id = s.account_id and a.live_account_id is null
    where q.ended_at is null and q.spent_at is not null and q.zone_id is null and s.status = 'created'
    order by q.spent_at ${atMost(limit)}`.execute(db);
  return rows;
}

/**
 * Programmed shipments of any account without a time at which their search starts: the account was a special request
 * without an agreed pickup time.
 */
export async function listAnyWithoutPickupTime(db: Database, limit?: number) {
  const { rows } = await sql<AnyShipment & { createdAt: Date }>`
    select ${SHIPMENT}, s.created_at as "createdAt"
    from shipments s join accounts a on a.id = s.account_id and a.live_account_id is null
    where s.status = 'programmed' and s.activate_at is null
    order by s.created_at ${atMost(limit)}`.execute(db);
  return rows;
}

/** Shipments of any account with an address that has no coordinates. */
export async function listAnyWithoutLocation(db: Database, limit?: number) {
  const { rows } = await sql<
    AnyShipment & { status: ShipmentStatus; createdAt: Date; missing: string; address: string }
  >`
    select ${SHIPMENT}, s.status, s.created_at as "createdAt",
           concat_ws(', ', case when s.pickup_address->>'location' is null then 'pickup' end,
                           case when s.delivery_address->>'coordinates' is null then 'delivery' end) as missing,
           case when s.pickup_address->>'location' is null
             then concat_ws(' ', s.pickup_address->>'street', s.pickup_address->>'postalCode', s.pickup_address->>'city')
             else concat_ws(' ', s.delivery_address->>'street', s.delivery_address->>'postalCode',
                            s.delivery_address->>'city') end as address
    from shipments s join accounts a on a.id = s.account_id and a.live_account_id is null
    where s.needs_location and s.status in ('programmed', 'created')
    order by s.created_at ${atMost(limit)}`.execute(db);
  return rows;
}

/** Shipments of any account whose delivery code was wrong too often: only the operator can confirm their delivery. */
export async function listAnyCodeLocked(db: Database, limit: number) {
  const { rows } = await sql<AnyShipment & OfDriver & { lockedAt: Date }>`
    select ${SHIPMENT}, ${DRIVER}, coalesce(s.code_locked_at, s.updated_at) as "lockedAt"
    from shipments s join accounts a on a.id = s.account_id and a.live_account_id is null left join drivers d on d.id = s.driver_id
    where s.wrong_delivery_codes >= ${sql.lit(MAX_WRONG_DELIVERY_CODES)} and s.status in (${sql.join(ACTIVE_RUN_LITERALS)})
      and s.returned_at is null
    order by s.updated_at ${atMost(limit)}`.execute(db);
  return rows;
}

export interface DueShipment extends AnyShipment, OfDriver {
  status: ShipmentStatus;
  slotStartsAt: Date | null;
  estimatedDeliveryAt: Date;
  createdAt: Date;
  destination: MapPoint | null;
}

/**
 * Shipments of any account under way whose slot ends before `slotBefore`, or whose promised day was before `dayBefore`.
 * The latest first: parcels that were lost long ago must not hide those of today.
 */
export async function listAnyDue(
  db: Database,
  { slotBefore, dayBefore, limit }: { slotBefore: Date; dayBefore: Date; limit: number },
): Promise<DueShipment[]> {
  const due = (condition: RawBuilder<unknown>, before: Date) => sql<DueShipment>`
    select ${SHIPMENT}, ${DRIVER}, s.status, s.slot_starts_at as "slotStartsAt",
           s.estimated_delivery_at as "estimatedDeliveryAt", s.created_at as "createdAt",
           s.delivery_address->'coordinates' as destination
    from shipments s join accounts a on a.id = s.account_id and a.live_account_id is null left join drivers d on d.id = s.driver_id
    where ${condition} and s.returned_at is null
      and s.status in ('programmed', 'created', 'assigned', 'picked_up', 'in_transit')
      and s.estimated_delivery_at < ${before}
    order by s.estimated_delivery_at desc limit ${limit}`;
  const [slots, days] = await Promise.all([
    due(sql`s.slot_starts_at is not null`, slotBefore).execute(db),
    due(sql`s.slot_starts_at is null`, dayBefore).execute(db),
  ]);
  return [...slots.rows, ...days.rows];
}
