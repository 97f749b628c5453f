import { distanceKm } from './distance-km.ts';
import type { Commune } from './french-communes.ts';
import type { Place } from './french-places.ts';
import type { GeocodedPoint } from './geocoder.ts';
import { normalizeTownName, withoutDistrictNumber } from './town-name.ts';
import { locateTowns } from './town-points.ts';

/** Under one postal code: the towns by normalised name, and the one with most inhabitants when no name fits. */
interface PostalArea {
  towns: Map<string, GeocodedPoint>;
  largest: GeocodedPoint;
}

export type TownIndex = Map<string, PostalArea>;

// The widest postal codes reach some 35 km from their largest town. A town said to be further away has the point of a
// namesake elsewhere in the department.
const POSTAL_AREA_REACH_KM = 40;

/** Towns without a point are left out: the largest one of their postal code answers for them. */
export function indexTowns(communes: Commune[], places: Place[]): TownIndex {
  const pointOf = locateTowns(places);
  const formerCommunes = Map.groupBy(communes, (commune) => commune.mergedInto);
  // The districts of Paris, Lyon and Marseille answer for their city: each is nearer to the address.
  const citiesWithDistricts = new Set(communes.map((commune) => commune.districtOf));
  const largestFirst = communes
    .filter(({ code, postalCodes }) => postalCodes.length > 0 && !citiesWithDistricts.has(code))
    .sort((one, other) => other.population - one.population);

  const index: TownIndex = new Map();
  for (const commune of largestFirst) {
    const former = formerCommunes.get(commune.code) ?? [];
    addTown(index, commune.postalCodes, commune.name, pointOf(commune, former));
    // People go on writing the name of the former commune they live in.
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

export function lookUpTown(index: TownIndex, postalCode: string, city: string): GeocodedPoint | null {
  const area = index.get(postalCode.replace(/\s/g, ''));
  return area?.towns.get(withoutDistrictNumber(normalizeTownName(city))) ?? area?.largest ?? null;
}
