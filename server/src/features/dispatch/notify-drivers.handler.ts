import type { DriverPush } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type DriverNotification, notifyDriversJob } from '../../jobs/definitions.ts';

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
  const rows = await db
    .selectFrom('shipments as s')
    .leftJoin('driver_offers as o', (join) =>
      join.onRef('o.account_id', '=', 's.account_id').onRef('o.shipment_id', '=', 's.id').on('o.answer', 'is', null),
    )
    .select(['s.reference_number', 's.status', 'o.driver_id', 'o.expires_at'])
    .where('s.account_id', '=', accountId)
    .where('s.id', '=', shipmentId)
    .execute();
  const [shipment] = rows;
  if (!shipment) return;
  const shared = { shippingId: shipmentId, referenceNumber: shipment.reference_number };
  for (const driverId of driverIds) {
    const expiresAt = rows.find(({ driver_id }) => driver_id === driverId)?.expires_at;
    if (push === 'offer' && expiresAt) {
      await sender.send(driverId, push, { ...shared, expiresAt: expiresAt.toISOString() });
    }
    if (push === 'offer-withdrawn' && !expiresAt) await sender.send(driverId, push, shared);
    if (push === 'shipment-changed') await sender.send(driverId, push, { ...shared, status: shipment.status });
  }
}

/** For another job's handler, after its commit. A push that fails becomes a job of its own, which retries for some seconds. */
export async function pushOrEnqueue(
  db: Database,
  jobs: JobSender,
  sender: DriverPushSender,
  notification: DriverNotification,
): Promise<void> {
  await pushToDrivers(db, sender, notification).catch(() =>
    db.transaction().execute((tx) => jobs.send(tx, notifyDriversJob, notification)),
  );
}
