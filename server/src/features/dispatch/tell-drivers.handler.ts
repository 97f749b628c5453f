import type { DriverPush } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import type { DriverNews } from '../../jobs/definitions.ts';

export interface DriverVoice {
  /** Fails when it cannot be heard. */
  say(driverId: string, push: DriverPush, payload: object): Promise<void>;
}

/** Says what is true now, not when the job was made: an offer that is over meanwhile is not announced any more. */
export async function tellDriversNews(
  db: Database,
  voice: DriverVoice,
  { accountId, shipmentId, driverIds, push }: DriverNews,
): Promise<void> {
  const shipment = await db
    .selectFrom('shipments')
    .select(['reference_number', 'status'])
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirst();
  if (!shipment) return;
  const offers = await db
    .selectFrom('driver_offers')
    .select(['driver_id', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('answer', 'is', null)
    .execute();
  const named = { shippingId: shipmentId, referenceNumber: shipment.reference_number };
  for (const driverId of driverIds) {
    const offer = offers.find(({ driver_id }) => driver_id === driverId);
    if (push === 'offer' && offer) {
      await voice.say(driverId, push, { ...named, expiresAt: offer.expires_at.toISOString() });
    }
    if (push === 'offer-withdrawn' && !offer) await voice.say(driverId, push, named);
    if (push === 'shipment-changed') await voice.say(driverId, push, { ...named, status: shipment.status });
  }
}
