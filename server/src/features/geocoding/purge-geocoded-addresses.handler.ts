import type { Database } from '../../database/database.ts';
import { GEOCODED_KEPT_DAYS } from './locator.ts';

/** Deletes old cached results of the geocoder, so that the table stays bounded. */
export async function purgeGeocodedAddresses(db: Database, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - GEOCODED_KEPT_DAYS * 86_400_000);
  const { numDeletedRows } = await db
    .deleteFrom('geocoded_addresses')
    .where('found_at', '<', oldest)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
