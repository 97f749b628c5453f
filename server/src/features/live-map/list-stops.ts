import { type MapBox, type MapCluster, type MapPoint, type MapStop, MOST_DRAWN } from '@navette/contract';
import { sql } from 'kysely';
import { shareResult } from '../../concurrency/share-result.ts';
import type { Database } from '../../database/database.ts';
import { areaAround, clusterPoints, EARTH, isInside } from '../../geography/area.ts';
import { DROP_POINT, IS_OPEN_DROP, IS_OPEN_PICKUP, PICKUP_POINT } from '../shipments/index.ts';

export interface StopsInArea {
  stops: MapStop[];
  clusters: MapCluster[];
  total: number;
}

export interface StopMap {
  listIn(area: MapBox): Promise<StopsInArea>;
  /** The smallest area that holds all open stops; null without any. */
  extent(): Promise<MapBox | null>;
}

/** Stops that were counted together, in a square of about 200 m. */
interface CountedStops extends MapPoint {
  count: number;
}

const CELL_DEGREES = 0.002;
const COUNTED_FOR_MS = 10_000;
const SMALL_CELLS = 10; // an area with fewer cells in a row is read from the table: its counts would be too coarse

/**
 * The stops of the open shipments of any account in an area. An area with few stops reads these by an index. For all larger
 * ones together, a process counts the open stops every ten seconds, so that fifty maps of the whole country cost as much
 * as one.
 */
export function createStopMap(db: Database): StopMap {
  const countAll = shareResult(COUNTED_FOR_MS, () => countAnyStops(db));
  return {
    async listIn(area) {
      const counted = isSmall(area) ? [] : (await countAll()).cells.filter((cell) => isInside(area, cell));
      const total = counted.reduce((sum, { count }) => sum + count, 0);
      if (total > MOST_DRAWN) return { stops: [], clusters: clusterPoints(area, counted), total };
      const stops = await listAnyStops(db, area, MOST_DRAWN + 1);
      if (stops.length <= MOST_DRAWN) return { stops, clusters: [], total: stops.length };
      return { stops: [], clusters: clusterPoints(area, stops), total: stops.length };
    },
    extent: async () => (await countAll()).extent,
  };
}

const isSmall = ({ west, east, south, north }: MapBox) =>
  Math.min(east - west, north - south) < SMALL_CELLS * CELL_DEGREES;

const boxOf = ({ west, south, east, north }: MapBox) => sql`box(point(${west}, ${south}), point(${east}, ${north}))`;
/** Stops of test twins have no driver on the road. */
const OF_LIVE_ACCOUNT = sql`join accounts live on live.id = s.account_id and live.live_account_id is null`;

/** As one JSON text: a row for each cell would take ten times as long to read. */
async function countAnyStops(db: Database): Promise<{ cells: CountedStops[]; extent: MapBox | null }> {
  const { rows } = await sql<{ cells: string | null }>`
    select json_agg(json_build_array(longitude, latitude, count))::text as cells from (
      select avg(place[0])::numeric(9, 5) as longitude, avg(place[1])::numeric(9, 5) as latitude, count(*) as count
      from (
        select ${PICKUP_POINT} as place from shipments s ${OF_LIVE_ACCOUNT}
        where ${IS_OPEN_PICKUP} and ${PICKUP_POINT} <@ ${boxOf(EARTH)}
        union all
        select ${DROP_POINT} from shipments s ${OF_LIVE_ACCOUNT}
        where ${IS_OPEN_DROP} and ${DROP_POINT} <@ ${boxOf(EARTH)}
      ) as stops
      group by floor(place[0] / ${CELL_DEGREES}), floor(place[1] / ${CELL_DEGREES})
    ) as cells`.execute(db);
  const cells = JSON.parse(rows[0]?.cells ?? '[]') as [number, number, number][];
  return {
    cells: cells.map(([longitude, latitude, count]) => ({ longitude, latitude, count })),
    extent: areaAround(cells.map(([x, y]) => ({ west: x, east: x, south: y, north: y }))),
  };
}

interface StopRow extends Omit<MapStop, 'shipment'> {
  id: string;
  reference: string;
  status: MapStop['shipment']['status'];
  account: string;
  timeSlot: string | null;
  driverId: string | null;
  driver: string | null;
}

async function listAnyStops(db: Database, area: MapBox, limit: number): Promise<MapStop[]> {
  const { rows } = await sql<StopRow>`
    with stops as (
      (select 'pickup' as kind, s.account_id, s.id, ${PICKUP_POINT} as place, s.pickup_address ->> 'city' as town
       from shipments s ${OF_LIVE_ACCOUNT} where ${IS_OPEN_PICKUP} and ${PICKUP_POINT} <@ ${boxOf(area)} limit ${limit})
      union all
      (select 'drop', s.account_id, s.id, ${DROP_POINT}, s.delivery_address ->> 'city'
       from shipments s ${OF_LIVE_ACCOUNT} where ${IS_OPEN_DROP} and ${DROP_POINT} <@ ${boxOf(area)} limit ${limit})
      limit ${limit}
    )
    select stops.kind, stops.place[0] as longitude, stops.place[1] as latitude, coalesce(stops.town, '') as town,
           s.id, s.reference_number as reference, s.status, a.name as account, s.time_slot as "timeSlot",
           d.id as "driverId", d.first_name || ' ' || d.last_name as driver
    from stops
    join shipments s on (s.account_id, s.id) = (stops.account_id, stops.id)
    join accounts a on a.id = s.account_id
    left join drivers d on d.id = s.driver_id
    order by s.id, stops.kind desc`.execute(db);
  return rows.map(({ kind, longitude, latitude, town, driverId, driver, ...shipment }) => ({
    ...{ kind, longitude, latitude, town },
    shipment: { ...shipment, driver: driverId === null ? null : { id: driverId, name: driver ?? '' } },
  }));
}
