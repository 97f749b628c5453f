import type { MapPoint } from '@navette/contract';

const KM_PER_DEGREE = 111.2;

/** Equirectangular approximation: within 1% at the distances between neighbouring towns. */
export function distanceKm(one: MapPoint, other: MapPoint): number {
  const middle = ((one.latitude + other.latitude) / 2) * (Math.PI / 180);
  const north = other.latitude - one.latitude;
  const east = (other.longitude - one.longitude) * Math.cos(middle);
  return KM_PER_DEGREE * Math.hypot(north, east);
}

/** Rounded to 100 m, as drivers see it and are paid. Null when a place is unknown. */
export const shownDistanceKm = (one: MapPoint | null, other: MapPoint | null): number | null =>
  one && other ? Math.round(distanceKm(one, other) * 10) / 10 : null;
