import type { ShipmentFilters, ShipmentStatus } from '@navette/contract';
import type pg from 'pg';
import { addDays, localDay, startOfDateFilter } from '../../calendar/local-calendar.ts';
import { normalizeText } from '../../text/normalize-text.ts';
import { findRange } from '../shipments/index.ts';
import { keysOf, SEARCH_FIELDS, type Searchable } from './search-key.ts';
import { type CandidateSource, findCandidates } from './shipment-candidates.ts';
import type { Cursor } from './shipment-cursor.ts';

/** The columns that filters are checked on. */
export interface FilterableRow extends Omit<Searchable, 'phoneNumber'> {
  number: number;
  status: ShipmentStatus;
  isCollection: boolean;
  groupReference: string | null;
  startsAt: Date | null;
  /** The promised time: the end of the slot, the agreed pickup or, for express, the creation. */
  due: Date;
  returnedAt: Date | null;
}

export interface ListTime {
  timeZone: string;
  /** By the account's clock. */
  now: Date;
}

/** Reads shipments of the account by number, in any order. Each list reads the columns that it shows. */
export type ReadNumbers<Row extends FilterableRow> = (numbers: number[]) => Promise<Row[]>;

export interface Batch<Row> {
  found: { row: Row; at: Cursor }[];
  /** Where the list continues; null at its end. */
  next: Cursor | null;
}

const WINDOW = 1_000; // candidates read and filtered at a time

/**
 * The matching shipments, batch by batch. Candidates come from the most selective index; the other conditions are
 * checked on the rows read. A batch may therefore contain few matches, or none, although the list continues.
 */
export async function* walkShipments<Row extends FilterableRow>(
  pool: pg.Pool,
  accountId: string,
  filters: ShipmentFilters,
  options: ListTime & { cursor: Cursor | null; window?: number },
  read: ReadNumbers<Row>,
): AsyncGenerator<Batch<Row>> {
  const source = await chooseSource(pool, accountId, filters, options);
  if (!source) return;
  const most = options.window ?? WINDOW;
  let cursor: Cursor | null = options.cursor;
  do {
    const candidates: Cursor[] = await findCandidates(pool, accountId, source, cursor, most);
    const rows = await read(candidates.map(({ number }) => number));
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    const found = candidates.flatMap((candidate) => {
      const row = byNumber.get(candidate.number);
      return row && matches(row, candidate, filters, source, options) ? [{ row, at: candidate }] : [];
    });
    cursor = candidates.length === most ? (candidates.at(-1) ?? null) : null;
    yield { found, next: cursor };
  } while (cursor);
}

async function chooseSource(
  pool: pg.Pool,
  accountId: string,
  filters: ShipmentFilters,
  time: ListTime,
): Promise<CandidateSource | null> {
  const { from, to, order } = filters;
  const { timeZone } = time;
  const statuses = statusesOf(filters);
  if (filters.late && statuses.length === 0) return null; // only ended ones were asked for
  return {
    search: normalizeText(filters.search ?? ''),
    statuses,
    oldestFirst: order === 'oldest',
    delivery: deliveryOf(filters, time),
    groupReference: filters.groupReference ?? null,
    collectionsOnly: filters.kind === 'collection',
    range: await findRange(pool, accountId, { ...(from ? { from } : {}), ...(to ? { to } : {}) }, timeZone),
  };
}

const UNDER_WAY: ShipmentStatus[] = ['programmed', 'created', 'assigned', 'picked_up', 'in_transit'];

/** The wanted statuses; none means all. */
function statusesOf({ status, late }: ShipmentFilters): ShipmentStatus[] {
  const chosen = [...new Set(status?.split(','))] as ShipmentStatus[];
  if (!late) return chosen;
  return chosen.length > 0 ? chosen.filter((one) => UNDER_WAY.includes(one)) : UNDER_WAY;
}

const MICROSECONDS = 1_000; // in a millisecond
const FOREVER = Number.MAX_SAFE_INTEGER;

/** The range of promised times that is read, if any filter or the order concerns them. */
function deliveryOf({ delivery, late, order }: ShipmentFilters, time: ListTime): CandidateSource['delivery'] {
  if (!delivery && !late && order !== 'earliest_delivery' && order !== 'latest_delivery') return null;
  const [from, until] = delivery ? boundsOf(delivery, time) : [-FOREVER, FOREVER];
  const now = time.now.getTime() * MICROSECONDS;
  return {
    from,
    until: late ? Math.min(until, now) : until,
    latestFirst: order === 'latest_delivery',
  };
}

function boundsOf(delivery: string, { timeZone, now }: ListTime): [from: number, until: number] {
  const today = localDay(now, timeZone);
  const day = delivery === 'today' ? today : delivery === 'tomorrow' ? addDays(today, 1) : delivery;
  const [from, until] = [startOfDateFilter(day, timeZone), startOfDateFilter(addDays(day, 1), timeZone)];
  return [from.getTime() * MICROSECONDS, until.getTime() * MICROSECONDS];
}

/** Whether the promised time is over: of a slot its end, otherwise the local day. */
export function isLate(row: Omit<FilterableRow, keyof Searchable>, { timeZone, now }: ListTime): boolean {
  if (row.returnedAt || !UNDER_WAY.includes(row.status) || row.due >= now) return false;
  return row.startsAt !== null || localDay(row.due, timeZone) < localDay(now, timeZone);
}

function matches(
  row: FilterableRow,
  candidate: Cursor,
  filters: ShipmentFilters,
  { range, search, statuses, delivery }: CandidateSource,
  time: ListTime,
) {
  const { kind, groupReference } = filters;
  const due = row.due.getTime() * MICROSECONDS;
  return (
    (delivery === null || (due >= delivery.from && due < delivery.until)) &&
    (filters.late === undefined || isLate(row, time)) &&
    (statuses.length === 0 || statuses.includes(row.status)) &&
    (groupReference === undefined || row.groupReference === groupReference) &&
    (kind === undefined || row.isCollection === (kind === 'collection')) &&
    row.number >= range.lowest &&
    row.number < range.above &&
    isFirstMatch(row, candidate, search)
  );
}

/** A search may match several keys of a shipment; the list shows it only for the first. */
function isFirstMatch(row: FilterableRow, candidate: Cursor, search: string): boolean {
  if (!('key' in candidate)) return true;
  const first = keysOf({ ...row, phoneNumber: '' }).find(([, key]) => key.startsWith(search));
  return first !== undefined && first[1] === candidate.key && SEARCH_FIELDS.indexOf(first[0]) === candidate.field;
}
