import type { MapBox, MapCluster, MapPoint } from '@navette/contract';

export const EARTH: MapBox = { west: -180, south: -90, east: 180, north: 90 };

export const isInside = ({ west, south, east, north }: MapBox, { latitude, longitude }: MapPoint): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north;

/** The smallest area that holds all of these; null without any. */
export function areaAround(areas: readonly MapBox[]): MapBox | null {
  const [first, ...rest] = areas;
  if (!first) return null;
  return rest.reduce(
    (all, { west, south, east, north }) => ({
      west: Math.min(all.west, west),
      south: Math.min(all.south, south),
      east: Math.max(all.east, east),
      north: Math.max(all.north, north),
    }),
    first,
  );
}

/** Columns and rows of clusters in an area: 96 at most, which a person can read and a screen has room for. */
const COLUMNS = 12;
const ROWS = 8;

/** Counts things by the cells of a grid over the area. A cluster is drawn in the middle of its things. */
export function clusterPoints(area: MapBox, points: Iterable<MapPoint & { count?: number }>): MapCluster[] {
  const cells = new Map<number, { count: number; latitudes: number; longitudes: number }>();
  const cellOf = (value: number, from: number, to: number, cellsInAll: number) =>
    Math.min(cellsInAll - 1, Math.floor(((value - from) / (to - from)) * cellsInAll));
  for (const { latitude, longitude, count = 1 } of points) {
    const column = cellOf(longitude, area.west, area.east, COLUMNS);
    const key = cellOf(latitude, area.south, area.north, ROWS) * COLUMNS + column;
    const cell = cells.get(key) ?? { count: 0, latitudes: 0, longitudes: 0 };
    cell.count += count;
    cell.latitudes += latitude * count;
    cell.longitudes += longitude * count;
    cells.set(key, cell);
  }
  return [...cells.values()].map(({ count, latitudes, longitudes }) => ({
    latitude: round(latitudes / count),
    longitude: round(longitudes / count),
    count,
  }));
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5; // a metre
