import type { BoardShipment, ShipmentStatus } from '@navette/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { SHIPMENT_VERSION } from '../dispatch/index.ts';
import { promisedUntil } from '../shipments/index.ts';
import { type TimeCursor, writeTimeCursor } from './board-cursor.ts';

interface PageOfList {
  list: 'unassigned' | 'slots';
  /** With `slots`: the earliest start. */
  from: Date | null;
  after: TimeCursor | null;
  until: TimeCursor | null;
  limit: number;
}

interface Row extends Omit<BoardShipment, 'slotStartsAt' | 'promisedUntil' | 'driver'> {
  status: ShipmentStatus;
  slotStartsAt: Date | null;
  estimatedDeliveryAt: Date | null;
  createdAt: Date;
  driverId: string | null;
  driverName: string | null;
  micros: number | null;
}

/** The rows of each list and the time that sorts them. Literals, so that the partial indexes are used. */
const LISTS: Record<PageOfList['list'], { rows: RawBuilder<unknown>; time: RawBuilder<unknown> }> = {
  unassigned: { rows: sql`s.status = 'created'`, time: sql`coalesce(s.estimated_delivery_at, timestamptz 'infinity')` },
  slots: {
    rows: sql`s.slot_starts_at is not null and s.status in ('programmed', 'created', 'assigned')`,
    time: sql`s.slot_starts_at`,
  },
};

/** One page of shipments of any account. Its cost depends on the page only. */
export async function listAnyBoardShipments(
  db: Database,
  { list, from, after, until, limit }: PageOfList,
  timeZone: string,
): Promise<{ shipments: BoardShipment[]; nextCursor: string | null }> {
  const { rows: rowsOfList, time } = LISTS[list];
  const { rows } = await sql<Row>`
    select s.id, s.reference_number as reference, ${SHIPMENT_VERSION} as version, s.status, a.name as account,
           s.pickup_address->>'city' as "from", s.delivery_address->>'city' as "to", s.time_slot as "timeSlot",
           s.slot_starts_at as "slotStartsAt", s.estimated_delivery_at as "estimatedDeliveryAt",
           s.created_at as "createdAt", q.state as search, d.id as "driverId",
           d.first_name || ' ' || d.last_name as "driverName",
           case when isfinite(${time}) then (extract(epoch from ${time}) * 1000000)::bigint end as micros
    from shipments s
    join accounts a on a.id = s.account_id and a.live_account_id is null
    left join drivers d on d.id = s.driver_id
    left join driver_searches q on (q.account_id, q.shipment_id) = (s.account_id, s.id) and q.ended_at is null
    where ${rowsOfList}
      ${from && list === 'slots' ? sql`and ${time} >= ${from}` : sql``}
      ${after ? sql`and (${time}, s.id) > ${placeOf(after)}` : sql``}
      ${until ? sql`and (${time}, s.id) <= ${placeOf(until)}` : sql``}
    order by ${time}, s.id limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { shipments: page.map((row) => toShipment(row, timeZone)), nextCursor: last ? writeTimeCursor(last) : null };
}

const placeOf = ({ micros, id }: TimeCursor) =>
  micros === null
    ? sql`(timestamptz 'infinity', ${id}::uuid)`
    : sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`;

function toShipment(row: Row, timeZone: string): BoardShipment {
  const { micros: _, estimatedDeliveryAt, createdAt, slotStartsAt, driverId, driverName, ...same } = row;
  return {
    ...same,
    slotStartsAt: slotStartsAt?.toISOString() ?? null,
    promisedUntil: promisedUntil({ slotStartsAt, estimatedDeliveryAt, createdAt }, timeZone).toISOString(),
    driver: driverId ? { id: driverId, name: driverName ?? '' } : null,
  };
}
