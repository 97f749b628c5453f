import type { AssignableDriver, MapPoint } from '@navette/contract';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { shownDistanceKm } from '../../geography/distance-km.ts';
import type { DriverPositions } from '../drivers/index.ts';
import { type DriverAnswers, type DriverFacts, readDriverAnswers, readDriverFacts } from './candidates.ts';

export interface AssignableContext {
  db: Database;
  positions: DriverPositions;
  config: Pick<Config, 'dispatch'>;
}

const LISTED = 50; // drivers; a name finds the others
const AROUND_KM = 50;

/**
 * Drivers for a shipment of any account: the nearest ones, then others who are available; or those with this name. Without
 * Redis all positions are unknown, and the list still works.
 */
export async function listDriversForAnyShipment(
  context: AssignableContext,
  { accountId, id: shipmentId }: { accountId: string; id: string },
  name: string | undefined,
  now: Date,
): Promise<AssignableDriver[]> {
  const { db, positions, config } = context;
  const pickup = await readPickup(db, accountId, shipmentId);
  const ids = name === undefined ? await findNearby(context, pickup) : [];
  if (ids.length < LISTED) ids.push(...(await findByName(db, name, ids)));
  const search = { id: shipmentId, accountId, shipmentId, round: 0 }; // whether the driver answered this round is no matter
  const [facts, answersOf, found] = await Promise.all([
    readDriverFacts(db, ids, now),
    readDriverAnswers(db, [{ search, driverIds: ids }]),
    positions.findAll(ids).catch(() => new Map<string, MapPoint>()),
  ]);
  const drivers = [...facts.values()].filter(({ twinId }) => twinId === null);
  return rankDrivers(
    drivers.map((driver) => ({
      ...driver,
      ...answersOf(shipmentId, driver.id),
      position: found.get(driver.id) ?? null,
    })),
    pickup,
    config.dispatch,
  );
}

/** Pure: the warnings about each driver. The fewest warnings first, then the nearest. */
export function rankDrivers(
  drivers: (Pick<DriverFacts, 'id' | 'name' | 'runs' | 'available'> &
    Pick<DriverAnswers, 'refused' | 'hasAbandoned'> & { position: MapPoint | null })[],
  pickup: MapPoint | null,
  { radiiKm, runsPerDriver }: { radiiKm: readonly number[]; runsPerDriver: number },
): AssignableDriver[] {
  const ranked = drivers.map(({ id, name, runs, available, refused, hasAbandoned, position }) => {
    const distanceKm = shownDistanceKm(position, pickup);
    const applies = {
      far: distanceKm !== null && distanceKm > Math.max(...radiiKm),
      many_runs: runs >= runsPerDriver,
      refused_before: refused || hasAbandoned,
      position_unknown: position === null,
      offline: !available,
    };
    const warnings = (Object.keys(applies) as (keyof typeof applies)[]).filter((warning) => applies[warning]);
    return { id, name, distanceKm, runs, warnings };
  });
  const distance = (driver: AssignableDriver) => driver.distanceKm ?? Number.MAX_SAFE_INTEGER;
  return ranked.toSorted(
    (a, b) => a.warnings.length - b.warnings.length || distance(a) - distance(b) || a.name.localeCompare(b.name, 'fr'),
  );
}

async function readPickup(db: Database, accountId: string, shipmentId: string): Promise<MapPoint | null> {
  const { pickup_address: pickup } = await db
    .selectFrom('shipments')
    .select('pickup_address')
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  const [longitude, latitude] = pickup.location?.coordinates ?? [];
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

async function findNearby({ positions }: AssignableContext, pickup: MapPoint | null): Promise<string[]> {
  if (!pickup) return [];
  const near = await positions.nearest(pickup, AROUND_KM, LISTED).catch(() => null);
  return near?.drivers.map(({ driverId }) => driverId) ?? [];
}

/** Drivers by a part of their name; without one, those who are available. */
async function findByName(db: Database, name: string | undefined, besides: string[]): Promise<string[]> {
  const condition =
    name === undefined
      ? sql`available`
      : sql`position(lower(${name.trim()}) in lower(first_name || ' ' || last_name)) > 0`;
  const { rows } = await sql<{ id: string }>`
    select id from drivers where disabled_at is null and test_account_id is null and ${condition} and not (id = any(${besides}::uuid[]))
    order by first_name, last_name, id limit ${LISTED - besides.length}`.execute(db);
  return rows.map(({ id }) => id);
}
