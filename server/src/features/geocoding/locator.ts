import { createHash } from 'node:crypto';
import type { Coordinates } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import {
  type AddressQuery,
  type GeocodedPoint,
  type Geocoder,
  GeocoderUnavailable,
} from '../../adapters/geocoder/geocoder.ts';
import type { Database } from '../../database/database.ts';

export interface Point {
  latitude: number;
  longitude: number;
}

export interface Locator {
  /** Finds where an address is; null when nobody knows. When nobody could be asked: null, or a failure as asked. */
  locate(address: AddressQuery, options?: LocateOptions): Promise<Point | null>;
}

interface LocateOptions {
  /** For work that is tried again later, where null would settle the matter. */
  failWhenUnavailable?: boolean;
}

/** 0,0 lies in the sea off Ghana and means "unknown": the address is looked up instead. */
export function knownCoordinates(coordinates: Coordinates | undefined): Point | null {
  if (!coordinates || (coordinates.latitude === 0 && coordinates.longitude === 0)) return null;
  return { latitude: coordinates.latitude, longitude: coordinates.longitude };
}

/** Asks the geocoder once for each address: answers are kept in PostgreSQL for all processes. */
export function createLocator(db: Database, geocoder: Geocoder, log: FastifyBaseLogger): Locator {
  return {
    async locate(address, { failWhenUnavailable = false } = {}) {
      const hash = hashOf(address);
      const known = await db
        .selectFrom('geocoded_addresses')
        .select(['latitude', 'longitude'])
        .where('address_hash', '=', hash)
        .executeTakeFirst();
      if (known) return known;
      try {
        const point = await geocoder.find(address);
        if (!point) return null;
        if (point.precision === 'address') await remember(db, hash, point);
        return { latitude: point.latitude, longitude: point.longitude };
      } catch (error) {
        if (!(error instanceof GeocoderUnavailable) || failWhenUnavailable) throw error;
        log.warn({ err: error }, 'geocoder unavailable');
        return null;
      }
    },
  };
}

/** Only exact answers are kept, so that an approximate one is tried again. */
async function remember(db: Database, hash: Buffer, point: GeocodedPoint): Promise<void> {
  const values = {
    latitude: point.latitude,
    longitude: point.longitude,
    precision: point.precision,
    found_at: new Date(),
  };
  await db
    .insertInto('geocoded_addresses')
    .values({ address_hash: hash, ...values })
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(values))
    .execute();
}

function hashOf({ street, city, postalCode, country }: AddressQuery): Buffer {
  const normal = [street, postalCode, city, country].map((part) =>
    part.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim(),
  );
  return createHash('sha256').update(JSON.stringify(normal)).digest();
}
