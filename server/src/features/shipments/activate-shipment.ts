import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { ShipmentPayload } from '../../jobs/definitions.ts';
import { readAccountTime } from '../accounts/index.ts';
import { changeStatus } from './change-status.ts';

/** Starts the search for a driver of a programmed shipment. One that was cancelled or assigned meanwhile is unchanged. */
export async function activateShipment(
  db: Database,
  jobs: JobSender,
  { accountId, shipmentId }: ShipmentPayload,
  now: Date,
  timeZone: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const at = await readAccountTime(tx, accountId, now);
    await changeStatus(tx, jobs, accountId, shipmentId, { trigger: 'activate', channel: 'http', now: at, timeZone });
  });
}
