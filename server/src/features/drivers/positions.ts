import type { MapBox, MapPoint } from '@navette/contract';

/** A driver's last position. It may be lost: it is outdated within minutes, and the next ping replaces it. */
export interface Position {
  latitude: number;
  longitude: number;
  at: Date;
}

export const POSITION_TTL_SECONDS = 120; // the app of an available driver pings at least once a minute

export interface PositionedDriver {
  driverId: string;
  available: boolean;
  isRobot: boolean;
}

export interface NearDriver {
  driverId: string;
  metres: number;
}

export interface Nearby {
  /** Nearest first. */
  drivers: NearDriver[];
  /** The list is complete up to this distance. */
  completeToMetres: number;
}

export interface SeenDriver extends Position {
  driverId: string;
  available: boolean;
}

export interface SeenDrivers {
  drivers: SeenDriver[];
  /** False when there may be more than were asked for. */
  isComplete: boolean;
}

/**
 * The last position of every driver, without those that are older than two minutes. The map, which searches read, holds
 * available drivers only. A robot's position is for its recipients only: neither the map nor `seen` contains it.
 */
export interface DriverPositions {
  save(driver: PositionedDriver, position: Position): Promise<void>;
  removeFromMap(driverId: string): Promise<void>;
  /** The last position; null when it is unknown or too old. */
  find(driverId: string): Promise<Position | null>;
  /** Without the drivers whose position is unknown or too old. */
  findAll(driverIds: string[]): Promise<Map<string, Position>>;
  /** The nearest drivers on the map within the radius. */
  nearest(place: MapPoint, radiusKm: number, most: number): Promise<Nearby>;
  /** Every driver with a recent position in or near the area, at most `most`, those in its middle first. */
  seen(area: MapBox, most: number): Promise<SeenDrivers>;
}
