import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { ShipmentPayload } from '../../jobs/definitions.ts';
import { changeStatus } from './change-status.ts';

/** A programmed shipment's time has come: it starts to look for a driver. Cancelled or assigned meanwhile, it stays so. */
export async function activateShipment(
  db: Database,
  jobs: JobSender,
  { accountId, shipmentId }: ShipmentPayload,
  now: Date,
  timeZone: string,
): Promise<void> {
  await db
    .transaction()
    .execute((tx) =>
      changeStatus(tx, jobs, accountId, shipmentId, { trigger: 'activate', channel: 'http', now, timeZone }),
    );
}
