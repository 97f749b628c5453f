export interface Coordinates {
  latitude: number;
  longitude: number;
}

const PAIR = /^\s*(-?\d+(?:[.,]\d+)?)\s*[,;\s]\s*(-?\d+(?:[.,]\d+)?)\s*$/;
// Metropolitan France, roughly. Outside of it, latitude and longitude are most often in the wrong order.
const FRANCE = { south: 41.2, north: 51.2, west: -5.3, east: 9.7 };

/** A decimal number with point or comma; null for anything else. */
export function readDegrees(text: string): number | null {
  return /^\s*-?\d+([.,]\d+)?\s*$/.test(text) ? Number(text.trim().replace(',', '.')) : null;
}

/** Both numbers, as a map copies them: "48.8566, 2.3522". */
export function readPair(text: string): { latitude: string; longitude: string } | null {
  const [, latitude, longitude] = PAIR.exec(text) ?? [];
  return latitude && longitude ? { latitude, longitude } : null;
}

export type CoordinateProblem = 'number' | 'range' | 'outside';

/** The problem of typed coordinates, if any. `outside` is a warning: overseas addresses exist. */
export function checkCoordinates(latitude: number | null, longitude: number | null): CoordinateProblem | null {
  if (latitude === null || longitude === null) return 'number';
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return 'range';
  const isInside =
    latitude >= FRANCE.south && latitude <= FRANCE.north && longitude >= FRANCE.west && longitude <= FRANCE.east;
  return isInside ? null : 'outside';
}
