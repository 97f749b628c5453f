import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import { refuseAsUnknownRun, refuseDriver } from '../../http/driver-refusal.ts';
import type { SpokenChannel } from '../../http/spoken-channel.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { isUuid } from '../../uuid.ts';
import { lockRunOrNothing } from '../runs/index.ts';
import { changeStatus } from '../shipments/index.ts';
import { recordDecision } from './decisions.ts';

export interface GivingBack {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'timeZone'>;
}

/**
 * The driver will not do it after all. What follows the change searches another one, and leaves this one out. Said again,
 * because the answer got lost, it is no error: by then the run may be anybody's, and that it was given back is kept.
 */
export async function abandonRun(
  { db, jobs, config }: GivingBack,
  { driverId, shipmentId, channel }: { driverId: string; shipmentId: string; channel: SpokenChannel },
  reason: string | null,
  now: Date,
): Promise<void> {
  const { timeZone } = config;
  await db.transaction().execute(async (tx) => {
    const run = await lockRunOrNothing(tx, driverId, shipmentId);
    if (!run) return (await hasGivenBack(tx, driverId, shipmentId)) ? undefined : refuseAsUnknownRun();
    const { accountId } = run;
    const changed = await changeStatus(tx, jobs, accountId, shipmentId, { trigger: 'abandon', channel, now, timeZone });
    if (changed.outcome !== 'changed') refuseDriver('NOT_ALLOWED_NOW');
    await recordDecision(tx, { accountId, shipmentId, kind: 'abandoned', at: now, driverId, details: { reason } });
  });
}

/** Across accounts: a driver's own word about a run of anybody's. */
async function hasGivenBack(tx: Tx, driverId: string, shipmentId: string): Promise<boolean> {
  if (!isUuid(shipmentId)) return false;
  const said = await tx
    .selectFrom('dispatch_decisions')
    .select('number')
    .where('driver_id', '=', driverId)
    .where('shipment_id', '=', shipmentId)
    .where('kind', '=', 'abandoned')
    .limit(1)
    .executeTakeFirst();
  return said !== undefined;
}
