import { sql } from 'kysely';
import { nextLocalTime } from '../../calendar/local-calendar.ts';
import { aheadOf, realTimeOf } from '../../calendar/twin-clock.ts';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { activateShipmentJob } from '../../jobs/definitions.ts';
import type { AccountSettings } from '../accounts/index.ts';

/**
 * Schedules programmed shipments that were created while their special-request account had no agreed pickup time: for the
 * next agreed time, or for now when the account is no longer a special request. Returns their number. Idempotent.
 */
export async function scheduleWaitingShipments(
  db: Database,
  jobs: JobSender,
  account: AccountSettings,
  { timeZone, now: real }: { timeZone: string; now: Date },
): Promise<number> {
  const { id: accountId, isSpecialRequest, agreedPickupTime } = account;
  if (isSpecialRequest && !agreedPickupTime) return 0;
  const aheadMs = aheadOf(account.clock, real);
  const now = realTimeOf(real, -aheadMs);
  const activateAt = isSpecialRequest && agreedPickupTime ? nextLocalTime(agreedPickupTime, timeZone, now) : now;
  return db.transaction().execute(async (tx) => {
    const waiting = await tx
      .updateTable('shipments')
      .set({
        activate_at: activateAt,
        estimated_delivery_at: activateAt,
        updated_at: sql`greatest(updated_at, ${now})`,
      })
      .where('account_id', '=', accountId)
      .where('status', '=', 'programmed')
      .where('activate_at', 'is', null)
      .returning('id as shipmentId')
      .execute();
    const jobFor = ({ shipmentId }: { shipmentId: string }) => ({
      payload: { accountId, shipmentId },
      singletonKey: shipmentId,
      startAfter: realTimeOf(activateAt, aheadMs),
    });
    await jobs.sendAll(tx, activateShipmentJob, waiting.map(jobFor));
    return waiting.length;
  });
}
