import type { AddressSuggestion } from '@navette/contract';
import type { GeocodedPoint } from './geocoder.ts';
import { GeocoderUnavailable } from './geocoder.ts';

// The service always returns its best match, scored from 0 to 1. Below this score hardly a word of the address matched,
// and the state "needs a location" is better for a driver than another street of the same postal code.
const MINIMUM_SCORE = 0.3;

// A locality counts as an address: in the countryside a place name is often the whole address.
const ADDRESS_TYPES = new Set<unknown>(['housenumber', 'street', 'locality']);

/** Streets and addresses of the response, best match first. Towns have a list of their own. */
export function readSuggestions(body: string): AddressSuggestion[] {
  const features = property(parse(body), 'features');
  if (!Array.isArray(features)) throw new GeocoderUnavailable('unexpected answer');
  return features.flatMap((feature): AddressSuggestion[] => {
    const properties = property(feature, 'properties');
    const [street, postalCode, city] = ['name', 'postcode', 'city'].map((name) => property(properties, name));
    const coordinates = property(property(feature, 'geometry'), 'coordinates');
    if (!ADDRESS_TYPES.has(property(properties, 'type')) || !isText(street) || !isText(postalCode) || !isText(city))
      return [];
    const [longitude, latitude]: unknown[] = Array.isArray(coordinates) ? coordinates : [];
    const isExact =
      property(properties, 'type') === 'housenumber' && isWithin(latitude, 90) && isWithin(longitude, 180);
    return [{ street, postalCode, city, coordinates: isExact ? { latitude, longitude } : null }];
  });
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 500;

/** Reads the service's response. Any other format means that the service is faulty, hence unavailable. */
export function readNearestFeature(body: string): GeocodedPoint | null {
  const features = property(parse(body), 'features');
  if (!Array.isArray(features)) throw new GeocoderUnavailable('unexpected answer');
  if (features.length === 0) return null;

  const coordinates = property(property(features[0], 'geometry'), 'coordinates');
  const properties = property(features[0], 'properties');
  const score = property(properties, 'score');
  if (!Array.isArray(coordinates) || typeof score !== 'number') throw new GeocoderUnavailable('unexpected answer');
  if (score < MINIMUM_SCORE) return null;

  const [longitude, latitude]: unknown[] = coordinates; // GeoJSON order
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) return null;
  if (latitude === 0 && longitude === 0) return null; // 0,0 means "unknown"
  return { latitude, longitude, precision: ADDRESS_TYPES.has(property(properties, 'type')) ? 'address' : 'town' };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new GeocoderUnavailable('answer is not JSON');
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isWithin(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit;
}
