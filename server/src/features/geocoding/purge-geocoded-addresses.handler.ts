import type { Database } from '../../database/database.ts';

const KEPT_DAYS = 180; // streets are renamed and renumbered, rarely

/** Forgets old answers of the geocoder, so that the table does not grow without end. */
export async function purgeGeocodedAddresses(db: Database, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  const { numDeletedRows } = await db
    .deleteFrom('geocoded_addresses')
    .where('found_at', '<', oldest)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
