import type { GeocodedPoint } from '../../src/adapters/geocoder/geocoder.ts';
import { distanceKm } from '../../src/geography/distance-km.ts';
import type { Commune } from './french-communes.ts';
import type { Place } from './french-places.ts';

// Two places of one name and department further apart than this are two different places.
const SAME_PLACE_KM = 10;

/**
 * Gives a commune the point of the place with its name in its department. The name of a commune that resulted from a
 * merger is often missing in the gazetteer: such a commune gets the point of the former commune with its town hall, else
 * of another former commune.
 */
export function locateTowns(places: Place[]): (commune: Commune, former: Commune[]) => GeocodedPoint | undefined {
  const points = pointsByName(places);

  return (commune, former) => {
    const townHall = former.filter(({ code }) => code === commune.code);
    for (const candidate of [commune, ...townHall, ...former]) {
      const point = points.get(nameInDepartment(candidate));
      if (point) return point;
    }
    return undefined;
  };
}

/** `undefined` for a name that two different places share: no point is better than a wrong one. */
function pointsByName(places: Place[]): Map<string, GeocodedPoint | undefined> {
  const points = new Map<string, GeocodedPoint | undefined>();
  for (const place of places) {
    const name = nameInDepartment(place);
    const known = points.get(name);
    if (!points.has(name)) points.set(name, place.point);
    else if (!known || distanceKm(known, place.point) > SAME_PLACE_KM) points.set(name, undefined);
  }
  return points;
}

function nameInDepartment({ department, name }: { department: string; name: string }): string {
  return `${department} ${name}`;
}
