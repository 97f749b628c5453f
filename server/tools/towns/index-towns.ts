import type { GeocodedPoint } from '../../src/adapters/geocoder/geocoder.ts';
import type { TownIndex } from '../../src/adapters/geocoder/town-index.ts';
import { withoutDistrictNumber } from '../../src/adapters/geocoder/town-name.ts';
import { distanceKm } from '../../src/geography/distance-km.ts';
import type { Commune } from './french-communes.ts';
import type { Place } from './french-places.ts';
import { locateTowns } from './town-points.ts';

// The widest postal codes extend some 35 km from their largest town. A town further away has the point of a town with the
// same name elsewhere in the department.
const POSTAL_AREA_REACH_KM = 40;

/** Towns without a point are left out: look-ups fall back to the largest town of their postal code. */
export function indexTowns(communes: Commune[], places: Place[]): TownIndex {
  const pointOf = locateTowns(places);
  const formerCommunes = Map.groupBy(communes, (commune) => commune.mergedInto);
  // The districts of Paris, Lyon and Marseille replace their city: each is nearer to the address.
  const citiesWithDistricts = new Set(communes.map((commune) => commune.districtOf));
  const largestFirst = communes
    .filter(({ code, postalCodes }) => postalCodes.length > 0 && !citiesWithDistricts.has(code))
    .sort((one, other) => other.population - one.population);

  const index: TownIndex = new Map();
  for (const commune of largestFirst) {
    const former = formerCommunes.get(commune.code) ?? [];
    addTown(index, commune.postalCodes, commune.name, pointOf(commune, former));
    // People still write the name of the former commune they live in.
    for (const town of former) addTown(index, commune.postalCodes, town.name, pointOf(town, []));
  }
  return index;
}

function addTown(index: TownIndex, postalCodes: string[], name: string, point: GeocodedPoint | undefined): void {
  if (!point) return;
  const key = withoutDistrictNumber(name);
  for (const postalCode of postalCodes) {
    const area = index.get(postalCode) ?? { towns: new Map<string, GeocodedPoint>(), largest: point };
    index.set(postalCode, area);
    if (!area.towns.has(key) && distanceKm(area.largest, point) < POSTAL_AREA_REACH_KM) area.towns.set(key, point);
  }
}
