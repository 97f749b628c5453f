import type { TrackedShipment, Viewer } from './find-tracked-shipment.ts';

export interface LivePosition {
  latitude: number;
  longitude: number;
  at: Date;
}

/** A driver's position, or null unless the shipment is the driver's next stop. */
export interface LivePositions {
  positionFor(driverId: string, shipmentId: string): Promise<LivePosition | null>;
}

const TIMEOUT_MS = 300; // a fast page matters more than the position
const MAX_AGE_MS = 5 * 60_000; // an older position misleads

/**
 * Shows the driver's position to the recipient while the parcel is in transit. The contact of a collection never sees it:
 * only the driver knows the order of the pickups. A shared link shows neither the position nor the recipient's street.
 */
export async function positionToShow(
  positions: LivePositions,
  viewer: Viewer,
  { id, status, driver }: TrackedShipment,
  now: Date,
): Promise<LivePosition | null> {
  if (!driver || viewer !== 'recipient' || status !== 'in_transit') return null;
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, TIMEOUT_MS, null).unref());
  const position = await Promise.race([positions.positionFor(driver.id, id).catch(() => null), timeout]);
  return position && now.getTime() - position.at.getTime() <= MAX_AGE_MS ? position : null;
}
