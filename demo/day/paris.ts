import { distanceKm } from '../../server/src/geography/distance-km.ts';
import type { Chance } from './chance.ts';

export interface Place {
  latitude: number;
  longitude: number;
}

const CENTRE: Place = { latitude: 48.8606, longitude: 2.3376 };
const RADIUS_KM = 4;
const [KM_NORTH, KM_EAST] = [1 / 111.2, 1 / 73.2]; // in degrees, at this latitude

/** A random place inside the ring road. */
export function somewhereInParis(chance: Chance): Place {
  const [angle, km] = [chance.between(0, 2 * Math.PI), RADIUS_KM * Math.sqrt(chance.next())];
  return rounded({
    latitude: CENTRE.latitude + km * KM_NORTH * Math.sin(angle),
    longitude: CENTRE.longitude + km * KM_EAST * Math.cos(angle),
  });
}

/** The position after moving this distance towards a place. */
export function strideTowards(from: Place, to: Place, km: number): Place {
  const left = distanceKm(from, to);
  if (left <= km) return to;
  const share = km / left;
  return rounded({
    latitude: from.latitude + (to.latitude - from.latitude) * share,
    longitude: from.longitude + (to.longitude - from.longitude) * share,
  });
}

/** Four decimals, ten metres: six could be mistaken for a delivery code. */
const rounded = ({ latitude, longitude }: Place): Place => ({
  latitude: Math.round(latitude * 10_000) / 10_000,
  longitude: Math.round(longitude * 10_000) / 10_000,
});
