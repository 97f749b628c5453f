/**
 * The live part of the console's map, over Socket.IO. In a file without the schema library, so that the web app does not
 * bundle it.
 */
export const CONSOLE_NAMESPACE = '/console';

/** A part of the earth, in degrees. It does not cross the 180th meridian. */
export interface MapBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

export interface MapPoint {
  latitude: number;
  longitude: number;
}

/** Things that are too many to be drawn one by one, and the middle of them. */
export interface MapCluster extends MapPoint {
  count: number;
}

/** A driver with a position of the last two minutes. `at` is in milliseconds since 1970. */
export type MovingDriver = [id: string, latitude: number, longitude: number, at: number, available: 0 | 1];

export interface MovingDrivers {
  /** False while positions cannot be read: the last ones may be outdated. */
  known: boolean;
  /** Empty when there are too many; then `clusters` counts them. */
  drivers: MovingDriver[];
  clusters: MapCluster[];
  /** Drivers in the visible area. */
  total: number;
}

/** Sent by the app whenever its visible area has changed. */
export const SHOW_AREA = 'showArea';
/** Sent by the server at most once a second. */
export const DRIVERS_MOVED = 'driversMoved';

/** More than this of a kind in the visible area are counted by clusters. */
export const MOST_DRAWN = 500;
