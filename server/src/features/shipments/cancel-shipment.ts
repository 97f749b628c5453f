import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseAsUnknown, refuseWithMessage } from '../../refusals/refusal.ts';
import { readAccountTime } from '../accounts/index.ts';
import { changeStatus } from './change-status.ts';

export interface Cancellation {
  reason: string | null;
  /** The member's name; null when the request came with an API key. */
  by: string | null;
  now: Date;
  timeZone: string;
}

/** Possible until a driver has picked the parcel up. Cancelling a cancelled shipment succeeds and changes nothing. */
export async function cancelShipment(
  db: Database,
  jobs: JobSender,
  accountId: string,
  shipmentId: string,
  cancellation: Cancellation,
): Promise<void> {
  if (!isUuid(shipmentId)) refuseAsUnknown();
  const changed = await db.transaction().execute(async (tx) => {
    const now = await readAccountTime(tx, accountId, cancellation.now);
    return changeStatus(tx, jobs, accountId, shipmentId, { trigger: 'cancel', channel: 'http', ...cancellation, now });
  });
  const before = changed.outcome === 'unknown' ? await readArchivedStatus(db, accountId, shipmentId) : changed.from;
  if (before === null) refuseAsUnknown();
  if (changed.outcome !== 'changed' && before !== 'cancelled') {
    refuseWithMessage(400, 'Trop tard pour annuler : le colis est déjà parti.', 'TOO_LATE_TO_CANCEL');
  }
}

async function readArchivedStatus(db: Database, accountId: string, shipmentId: string): Promise<string | null> {
  const found = await db
    .selectFrom('archived_shipments')
    .select('status')
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirst();
  return found?.status ?? null;
}
