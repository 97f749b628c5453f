import type { TrackedShipment } from './find-tracked-shipment.ts';

export interface LivePosition {
  latitude: number;
  longitude: number;
  at: Date;
}

/** Where a driver is, told only while the shipment is the driver's next stop. */
export interface LivePositions {
  positionFor(driverId: string, shipmentId: string): Promise<LivePosition | null>;
}

const LONGEST_WAIT_MS = 300; // the page is worth more than the position
const OLDEST_MS = 5 * 60_000; // an older position misleads

/**
 * Who gets the parcel sees the driver come with it. Who hands a collection over does not: in which order a driver makes
 * their pickups is known to them alone.
 */
export async function positionToShow(
  positions: LivePositions,
  viewer: 'recipient' | 'contact',
  { id, status, driver }: TrackedShipment,
  now: Date,
): Promise<LivePosition | null> {
  if (!driver || viewer !== 'recipient' || status !== 'in_transit') return null;
  const late = new Promise<null>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS, null).unref());
  const position = await Promise.race([positions.positionFor(driver.id, id).catch(() => null), late]);
  return position && now.getTime() - position.at.getTime() <= OLDEST_MS ? position : null;
}
