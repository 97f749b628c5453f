import type { Config } from '../../config.ts';
import { signReference } from '../shipments/index.ts';

export type TrackingLinks = Pick<Config, 'linkSecrets' | 'publicUrl' | 'trackingLinkDays'>;

const DAY_MS = 86_400_000;

/** The link to the tracking page without code and street, which a merchant may pass on; null once links have expired. */
export function shareUrlOf(
  { linkSecrets, publicUrl, trackingLinkDays }: TrackingLinks,
  shipment: { referenceNumber: string; endedAt: Date | null; isErased: boolean },
  now: Date,
): string | null {
  const { referenceNumber, endedAt, isErased } = shipment;
  if (isErased || (endedAt && now.getTime() - endedAt.getTime() > trackingLinkDays * DAY_MS)) return null;
  return `${publicUrl}/t/${signReference(linkSecrets, 'share', referenceNumber)}`;
}
