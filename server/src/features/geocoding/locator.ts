import { createHash } from 'node:crypto';
import type { Coordinates, MapPoint } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import {
  type AddressQuery,
  type GeocodedPoint,
  type Geocoder,
  GeocoderUnavailable,
} from '../../adapters/geocoder/geocoder.ts';
import type { Database } from '../../database/database.ts';

export const GEOCODED_KEPT_DAYS = 180; // streets are renamed and renumbered, though rarely

export interface Locator {
  /** The coordinates of an address, or null when the geocoder does not find it or is unavailable. */
  locate(address: AddressQuery, options?: LocateOptions): Promise<MapPoint | null>;
}

interface LocateOptions {
  /** Throws while the geocoder is unavailable: for jobs, which are retried later. */
  failWhenUnavailable?: boolean;
}

/** 0,0 is in the sea off Ghana and means "unknown": the address is geocoded instead. */
export function knownCoordinates(coordinates: Coordinates | undefined): MapPoint | null {
  if (!coordinates || (coordinates.latitude === 0 && coordinates.longitude === 0)) return null;
  return { latitude: coordinates.latitude, longitude: coordinates.longitude };
}

/** Geocodes each address once: results are cached in PostgreSQL for all processes. */
export function createLocator(db: Database, geocoder: Geocoder, log: FastifyBaseLogger): Locator {
  return {
    async locate(address, { failWhenUnavailable = false } = {}) {
      const hash = addressHash(address);
      const cached = await db
        .selectFrom('geocoded_addresses')
        .select(['latitude', 'longitude'])
        .where('address_hash', '=', hash)
        .executeTakeFirst();
      if (cached) return cached;
      try {
        const point = await geocoder.find(address);
        if (!point) return null;
        if (point.precision === 'address') await cacheResult(db, hash, point);
        return { latitude: point.latitude, longitude: point.longitude };
      } catch (error) {
        if (!(error instanceof GeocoderUnavailable) || failWhenUnavailable) throw error;
        log.warn({ err: error }, 'geocoder unavailable');
        return null;
      }
    },
  };
}

/** Only exact results are cached, so that approximate ones are tried again. */
async function cacheResult(db: Database, hash: Buffer, point: GeocodedPoint): Promise<void> {
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

/** The cache key of an address. */
export function addressHash({ street, city, postalCode, country }: AddressQuery): Buffer {
  const normal = [street, postalCode, city, country].map((part) =>
    part.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim(),
  );
  return createHash('sha256').update(JSON.stringify(normal)).digest();
}
