import {
  DASHBOARD_BASE_PATH,
  SHIPMENT_STATUSES,
  type ShipmentFilters,
  type ShipmentLine,
  type ShipmentStatus,
  type ShipmentsAnswer,
  type ShipmentsQuery,
} from '@navette/contract';
import type pg from 'pg';
import { accountTime } from '../../calendar/twin-clock.ts';
import { toClock } from '../accounts/index.ts';
import { type Arrivals, driversUnderWay, presentArrival } from '../arrival/index.ts';
import { toEuros } from '../ledger/index.ts';
import { type FilterableRow, isLate, type ListTime, type ReadNumbers, walkShipments } from './find-shipments.ts';
import { type Cursor, readCursor, writeCursor } from './shipment-cursor.ts';

const MOST_WINDOWS = 5; // of candidates read for one page; rarer matches are on the following pages

/** A page of the list: newest first or, in a search, in the order of the matched keys. */
export async function listShipments(
  pool: pg.Pool,
  accountId: string,
  { cursor, limit = 50, ...filters }: ShipmentsQuery,
  { timeZone, arrivals, now }: { timeZone: string; arrivals: Arrivals; now: Date },
): Promise<ShipmentsAnswer> {
  const counting = readCounts(pool, accountId);
  const time = { timeZone, now: await readTime(pool, accountId, now) };
  const page: LineRow[] = [];
  let next: Cursor | null = null;
  let windows = 0;
  const options = {
    ...time,
    cursor: cursor === undefined ? null : readCursor(cursor),
    ...(needsFiltering(filters) ? {} : { window: limit + 1 }),
  };
  for await (const batch of walkShipments(pool, accountId, filters, options, readLines(pool, accountId))) {
    const taken = batch.found.slice(0, limit - page.length);
    page.push(...taken.map(({ row }) => row));
    next = taken.length < batch.found.length ? (taken.at(-1)?.at ?? null) : batch.next;
    if (page.length === limit || ++windows === MOST_WINDOWS) break;
  }
  const expected = await arrivals.ofDrivers(driversUnderWay(page), now);
  return {
    success: true,
    shipments: page.map((row) => ({ ...toLine(row, time), arrival: presentArrival(expected.get(row.id)) })),
    nextCursor: next && writeCursor(next),
    counts: await counting,
  };
}

/** Whether some candidates may not match, so that more of them must be read than fit on the page. */
function needsFiltering(filters: ShipmentFilters): boolean {
  const { status, groupReference, kind, from, to, delivery, late, order } = filters;
  const search = filters.search?.trim();
  const conditions = [search, groupReference, status, kind].filter(Boolean).length;
  if (conditions > 1 || kind === 'delivery' || late) return true;
  const isByDelivery = delivery || order === 'earliest_delivery' || order === 'latest_delivery';
  if (isByDelivery && [search, groupReference, kind, from, to].some(Boolean)) return true;
  return Boolean(search && (from ?? to));
}

export interface LineRow extends FilterableRow {
  id: string;
  priceCents: number;
  postalCode: string;
  date: string | null;
  timeSlot: string | null;
  createdAt: Date;
  updatedAt: Date;
  erasedAt: Date | null;
  driverId: string | null;
}

/** The columns of every list of shipments; `s` is the table. */
export const LINE_COLUMNS = `
  s.id, s.number, s.reference_number as "referenceNumber", s.status, s.order_id as "orderId",
  s.delivery_address ->> 'recipientName' as "recipientName", s.delivery_address ->> 'city' as city,
  s.delivery_address ->> 'postalCode' as "postalCode", s.price_cents as "priceCents",
  s.is_collection as "isCollection", s.scheduled_date::text as date, s.time_slot as "timeSlot",
  s.slot_starts_at as "startsAt", s.group_reference as "groupReference", s.created_at as "createdAt",
  s.updated_at as "updatedAt", s.personal_data_erased_at as "erasedAt", s.driver_id as "driverId",
  coalesce(s.estimated_delivery_at, s.created_at) as due, s.returned_at as "returnedAt"`;

export const readLines =
  (pool: pg.Pool, accountId: string): ReadNumbers<LineRow> =>
  async (numbers) => {
    if (numbers.length === 0) return [];
    const { rows } = await pool.query<LineRow>({
      name: 'shipment-lines',
      text: `select ${LINE_COLUMNS} from shipments s where s.account_id = $1 and s.number = any($2::bigint[])`,
      values: [accountId, numbers],
    });
    return rows;
  };

export const labelUrlOf = (shipmentId: string) => `${DASHBOARD_BASE_PATH}/shipments/${shipmentId}/label`;

const toLine = (row: LineRow, time: ListTime): Omit<ShipmentLine, 'arrival'> => ({
  id: row.id,
  referenceNumber: row.referenceNumber,
  status: row.status,
  orderId: row.orderId,
  recipientName: row.recipientName,
  city: row.city,
  postalCode: row.postalCode,
  price: toEuros(row.priceCents),
  isCollection: row.isCollection,
  scheduledDelivery: { date: row.date, timeSlot: row.timeSlot, datetime: row.startsAt?.toISOString() ?? null },
  isLate: isLate(row, time),
  groupReference: row.groupReference,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  personalDataErasedAt: row.erasedAt?.toISOString() ?? null,
  labelUrl: labelUrlOf(row.id),
});

/** The time by the account's own clock. */
export async function readTime(pool: pg.Pool, accountId: string, real: Date): Promise<Date> {
  const { rows } = await pool.query<Parameters<typeof toClock>[0]>({
    name: 'clock-of-list',
    text: 'select clock_ahead_ms, clock_held_at from accounts where id = $1',
    values: [accountId],
  });
  return rows[0] ? accountTime(toClock(rows[0]), real) : real;
}

/** Reads counters that every change maintains, so the cost does not depend on the account. */
async function readCounts(pool: pg.Pool, accountId: string): Promise<ShipmentsAnswer['counts']> {
  const { rows } = await pool.query<Record<ShipmentStatus, number>>({
    name: 'shipment-counts',
    text: `select ${SHIPMENT_STATUSES.join(', ')} from account_counters where account_id = $1`,
    values: [accountId],
  });
  const counts = rows[0];
  return Object.fromEntries(SHIPMENT_STATUSES.map((status) => [status, counts?.[status] ?? 0])) as Record<
    ShipmentStatus,
    number
  >;
}
