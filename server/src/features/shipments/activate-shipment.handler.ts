import type { Database } from '../../database/database.ts';
import type { ShipmentPayload } from '../../jobs/definitions.ts';
import { changeStatus } from './change-status.ts';

/** A programmed shipment's time has come: it starts to look for a driver. Cancelled or assigned meanwhile, it stays so. */
export async function activateShipment(
  db: Database,
  { accountId, shipmentId }: ShipmentPayload,
  now: Date,
  timeZone: string,
): Promise<void> {
  await db
    .transaction()
    .execute((tx) => changeStatus(tx, accountId, shipmentId, { trigger: 'activate', channel: 'http', now, timeZone }));
}
