import { distanceKm } from './distance-km.ts';
import type { Commune } from './french-communes.ts';
import type { Place } from './french-places.ts';
import type { GeocodedPoint } from './geocoder.ts';

// Two places of one name and department further apart than this are two different places.
const SAME_PLACE_KM = 10;

/**
 * Gives a commune the point of the place that has its name in its department. A commune born of a merger often has a
 * name no gazetteer knows: it then takes the point of the former commune that holds its town hall, else of another one.
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

/** `undefined` stands for a name that means two different places: no point is better than the wrong one. */
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
