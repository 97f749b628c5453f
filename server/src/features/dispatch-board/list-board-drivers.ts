import type { BoardDriver, ShipmentStatus } from '@navette/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { SHIPMENT_VERSION } from '../dispatch/index.ts';
import { ACTIVE_RUN_LITERALS, type DriverPositions, type Position } from '../drivers/index.ts';
import { findDriverIds } from '../search/index.ts';
import { promisedUntil } from '../shipments/index.ts';
import { type DriverCursor, writeDriverCursor } from './board-cursor.ts';

interface BoardDriversContext {
  db: Database;
  positions: DriverPositions;
  config: Pick<Config, 'timeZone'>;
}

interface PageOfDrivers {
  name: string | undefined;
  after: DriverCursor | null;
  until: DriverCursor | null;
  limit: number;
}

interface Run {
  id: string;
  reference: string;
  version: string;
  status: ShipmentStatus;
  to: string | null;
  timeSlot: string | null;
  slotStartsAt: string | null;
  estimatedDeliveryAt: string | null;
  createdAt: string;
}

interface Row extends DriverCursor {
  runCount: number;
  runs: Run[] | null;
}

const RUNS_LISTED = 20;
const FOUND_BY_NAME = 50;

/**
 * One page of the drivers who are not disabled, with their parcels under way; or those with this name. Without Redis all
 * positions are unknown.
 */
export async function listBoardDrivers(
  { db, positions, config }: BoardDriversContext,
  { name, after, until, limit }: PageOfDrivers,
): Promise<{ drivers: BoardDriver[]; nextCursor: string | null }> {
  const ids = name === undefined ? null : await findDriverIds(db, name, FOUND_BY_NAME);
  const rows = await readDrivers(db, ids ? sql`d.id = any(${ids}::uuid[])` : isBetween(after, until), limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const driverIds = page.map(({ id }) => id);
  const found = await positions.findAll(driverIds).catch(() => new Map<string, Position>());
  return {
    drivers: page.map((row) => toDriver(row, found.get(row.id), config.timeZone)),
    nextCursor: last ? writeDriverCursor(last) : null,
  };
}

const isBetween = (after: DriverCursor | null, until: DriverCursor | null): RawBuilder<unknown> =>
  sql`${after ? sql`${PLACE} > ${placeOf(after)}` : sql`true`} and ${until ? sql`${PLACE} <= ${placeOf(until)}` : sql`true`}`;

const PLACE = sql`(not d.available, d.first_name, d.last_name, d.id)`;
const placeOf = ({ isAway, firstName, lastName, id }: DriverCursor) =>
  sql`(${isAway}::boolean, ${firstName}::text, ${lastName}::text, ${id}::uuid)`;

async function readDrivers(db: Database, condition: RawBuilder<unknown>, limit: number): Promise<Row[]> {
  const isUnderWay = sql`s.driver_id = d.id and s.status in (${sql.join(ACTIVE_RUN_LITERALS)}) and s.returned_at is null`;
  const { rows } = await sql<Row>`
    with page as (
      select d.id, d.first_name, d.last_name, d.available from drivers d
      where d.disabled_at is null and d.test_account_id is null and ${condition}
      order by d.test_account_id, d.disabled_at, not d.available, d.first_name, d.last_name, d.id limit ${limit}
    )
    select d.id, d.first_name as "firstName", d.last_name as "lastName", not d.available as "isAway",
           (select count(*) from shipments s where ${isUnderWay}) as "runCount",
           (select json_agg(run) from (
              select s.id, s.reference_number as reference, ${SHIPMENT_VERSION} as version, s.status,
                     s.delivery_address->>'city' as "to", s.time_slot as "timeSlot", s.slot_starts_at as "slotStartsAt",
                     s.estimated_delivery_at as "estimatedDeliveryAt", s.created_at as "createdAt"
              from shipments s where ${isUnderWay}
              order by s.estimated_delivery_at, s.id limit ${RUNS_LISTED}) run) as runs
    from page d
    order by not d.available, d.first_name, d.last_name, d.id`.execute(db);
  return rows;
}

function toDriver(row: Row, position: Position | undefined, timeZone: string): BoardDriver {
  return {
    id: row.id,
    name: `${row.firstName} ${row.lastName}`,
    available: !row.isAway,
    positionAt: position?.at.toISOString() ?? null,
    runCount: row.runCount,
    runs: (row.runs ?? []).map((run) => toRun(run, timeZone)),
  };
}

function toRun({ slotStartsAt, estimatedDeliveryAt, createdAt, ...same }: Run, timeZone: string) {
  const promised = {
    slotStartsAt: dateOf(slotStartsAt),
    estimatedDeliveryAt: dateOf(estimatedDeliveryAt),
    createdAt: new Date(createdAt),
  };
  return { ...same, promisedUntil: promisedUntil(promised, timeZone).toISOString() };
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text));
