import type { DriverPush } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import type { DriverNotification } from '../../jobs/definitions.ts';

export interface DriverPushSender {
  /** Rejects when the push cannot be published. */
  send(driverId: string, push: DriverPush, payload: object): Promise<void>;
}

/** Pushes the current state, not the state when the job was enqueued: an offer that has ended since is not pushed. */
export async function pushToDrivers(
  db: Database,
  sender: DriverPushSender,
  { accountId, shipmentId, driverIds, push }: DriverNotification,
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
  const shared = { shippingId: shipmentId, referenceNumber: shipment.reference_number };
  for (const driverId of driverIds) {
    const offer = offers.find(({ driver_id }) => driver_id === driverId);
    if (push === 'offer' && offer) {
      await sender.send(driverId, push, { ...shared, expiresAt: offer.expires_at.toISOString() });
    }
    if (push === 'offer-withdrawn' && !offer) await sender.send(driverId, push, shared);
    if (push === 'shipment-changed') await sender.send(driverId, push, { ...shared, status: shipment.status });
  }
}
