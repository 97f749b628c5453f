import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { activateShipmentJob, type ShipmentPayload } from '../../jobs/definitions.ts';
import type { Locator } from '../geocoding/index.ts';
import { locateShipment } from './locate-shipment.ts';

export interface Announcing {
  db: Database;
  jobs: JobSender;
  locator: Locator;
}

/** What follows a creation. Carried out again after a crash, each step finds its work done and does nothing. */
export async function announceShipment({ db, jobs, locator }: Announcing, payload: ShipmentPayload): Promise<void> {
  await db.transaction().execute((tx) => planActivation(tx, jobs, payload));
  await locateShipment(db, locator, payload.accountId, payload.shipmentId);
}

/** A programmed shipment gets its alarm clock; the job's key keeps a second one from being set. */
async function planActivation(tx: Tx, jobs: JobSender, payload: ShipmentPayload): Promise<void> {
  const shipment = await tx
    .selectFrom('shipments')
    .select(['status', 'activate_at'])
    .where('account_id', '=', payload.accountId)
    .where('id', '=', payload.shipmentId)
    .executeTakeFirstOrThrow();
  if (shipment.status !== 'programmed' || !shipment.activate_at) return;
  await jobs.send(tx, activateShipmentJob, payload, {
    startAfter: shipment.activate_at,
    singletonKey: payload.shipmentId,
  });
}
