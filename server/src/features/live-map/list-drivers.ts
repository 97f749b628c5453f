import {
  type MapBox,
  type MapCluster,
  type MapDriver,
  MOST_DRAWN,
  type MovingDriver,
  type MovingDrivers,
} from '@navette/contract';
import { sql } from 'kysely';
import { shareResult } from '../../concurrency/share-result.ts';
import type { Database } from '../../database/database.ts';
import { areaAround, clusterPoints, EARTH, isInside } from '../../geography/area.ts';
import { ACTIVE_RUN_LITERALS, type DriverPositions, type SeenDriver } from '../drivers/index.ts';

/** Bounds what a process reads in a second. A company with more drivers sees those in the middle of its maps. */
const MOST_READ = 10_000;
const SHARED_MS = 1_000; // as often as maps are refreshed over the socket
const SMALL_DEGREES = 0.02; // about two kilometres: few drivers, found by the index

/** The drivers in an area. All larger areas share one read a second, so that fifty maps of a city cost as much as one. */
export function createDriverMap(positions: DriverPositions): (area: MapBox) => Promise<SeenDriver[]> {
  const readAll = shareResult(SHARED_MS, () => positions.seen(EARTH, MOST_READ));
  return async (area) => {
    const isSmall = Math.min(area.east - area.west, area.north - area.south) < SMALL_DEGREES;
    const all = isSmall ? null : await readAll();
    return all?.isComplete ? all.drivers : (await positions.seen(area, MOST_READ)).drivers;
  };
}

/** The drivers in each of these areas, with one read for all of them. */
export const createDriverChannel =
  (positions: DriverPositions) =>
  async (areas: MapBox[]): Promise<MovingDrivers[]> => {
    const all = areaAround(areas);
    const seen = all ? (await positions.seen(all, MOST_READ)).drivers : [];
    return areas.map((area) => showDrivers(area, seen));
  };

function showDrivers(area: MapBox, seen: SeenDriver[]): MovingDrivers {
  const visible = seen.filter((driver) => isInside(area, driver));
  const total = visible.length;
  if (total > MOST_DRAWN) return { known: true, drivers: [], clusters: clusterPoints(area, visible), total };
  return { known: true, drivers: visible.map(present), clusters: [], total };
}

const present = ({ driverId, latitude, longitude, at, available }: SeenDriver): MovingDriver => [
  driverId,
  latitude,
  longitude,
  at.getTime(),
  available ? 1 : 0,
];

interface DriversInArea {
  known: boolean;
  drivers: MapDriver[];
  clusters: MapCluster[];
  total: number;
}

/** The drivers in an area with their names and runs. Without Redis no driver is known. */
export async function listDriversIn(
  db: Database,
  readDrivers: (area: MapBox) => Promise<SeenDriver[]>,
  area: MapBox,
): Promise<DriversInArea> {
  const seen = await readDrivers(area).catch(() => null);
  const visible = (seen ?? []).filter((driver) => isInside(area, driver));
  const total = visible.length;
  if (total > MOST_DRAWN) return { known: true, drivers: [], clusters: clusterPoints(area, visible), total };
  const facts = await readFacts(
    db,
    visible.map(({ driverId }) => driverId),
  );
  const drivers = visible.flatMap(({ driverId, latitude, longitude, at, available }) => {
    const fact = facts.get(driverId);
    if (!fact) return [];
    return [{ id: driverId, ...fact, latitude, longitude, at: at.toISOString(), available }];
  });
  drivers.sort((a, b) => a.name.localeCompare(b.name, 'fr'));
  return { known: seen !== null, drivers, clusters: [], total: drivers.length };
}

/** Erased drivers are left out. */
async function readFacts(db: Database, ids: string[]): Promise<Map<string, { name: string; runs: number }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string; runs: number }>`
    select d.id, d.first_name || ' ' || d.last_name as name,
           (select count(*) from shipments s where s.driver_id = d.id
            and s.status in (${sql.join(ACTIVE_RUN_LITERALS)}) and s.returned_at is null) as runs
    from drivers d where d.id = any(${ids}::uuid[]) and d.personal_data_erased_at is null`.execute(db);
  return new Map(rows.map(({ id, name, runs }) => [id, { name, runs }]));
}
