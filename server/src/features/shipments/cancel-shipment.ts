import type { Database } from '../../database/database.ts';
import { refuseAsUnknown, refuseWithMessage } from '../../http/refusal.ts';
import { isUuid } from '../../uuid.ts';
import { changeStatus } from './change-status.ts';

export interface Cancellation {
  reason: string | null;
  now: Date;
  timeZone: string;
}

/** Possible until a driver has the parcel. Cancelling what is cancelled changes nothing and is no error. */
export async function cancelShipment(
  db: Database,
  accountId: string,
  shipmentId: string,
  cancellation: Cancellation,
): Promise<void> {
  if (!isUuid(shipmentId)) refuseAsUnknown();
  const changed = await db
    .transaction()
    .execute((tx) => changeStatus(tx, accountId, shipmentId, { trigger: 'cancel', channel: 'http', ...cancellation }));
  if (changed.outcome === 'unknown') refuseAsUnknown();
  if (changed.outcome === 'not-allowed' && changed.from !== 'cancelled') {
    refuseWithMessage(400, 'Trop tard pour annuler : le colis est déjà parti.');
  }
}
