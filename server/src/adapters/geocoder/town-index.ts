import type { GeocodedPoint } from './geocoder.ts';
import { normalizeTownName, withoutDistrictNumber } from './town-name.ts';

/** The towns of a postal code by normalised name, and the most populous one for names that do not match. */
interface PostalArea {
  towns: Map<string, GeocodedPoint>;
  largest: GeocodedPoint;
}

export type TownIndex = Map<string, PostalArea>;

export function lookUpTown(index: TownIndex, postalCode: string, city: string): GeocodedPoint | null {
  const area = index.get(postalCode.replace(/\s/g, ''));
  return area?.towns.get(withoutDistrictNumber(normalizeTownName(city))) ?? area?.largest ?? null;
}

/** One line per postal code: the code, then name, latitude and longitude of each town, the largest town first. */
export function writeTowns(index: TownIndex): string {
  const lines = [...index].map(([postalCode, { towns }]) =>
    [postalCode, ...[...towns].flatMap(([name, { latitude, longitude }]) => [name, latitude, longitude])].join('\t'),
  );
  return `${lines.sort().join('\n')}\n`;
}

export function readTowns(text: string): TownIndex {
  const index: TownIndex = new Map();
  for (const line of text.trimEnd().split('\n')) {
    const [postalCode = '', ...cells] = line.split('\t');
    const towns = new Map<string, GeocodedPoint>();
    for (let i = 0; i < cells.length; i += 3) {
      const [name = '', latitude, longitude] = cells.slice(i, i + 3);
      towns.set(name, { latitude: Number(latitude), longitude: Number(longitude), precision: 'town' });
    }
    const [largest] = towns.values();
    if (largest) index.set(postalCode, { towns, largest });
  }
  return index;
}
