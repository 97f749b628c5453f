import { timingSafeEqual } from 'node:crypto';
import { MAX_WRONG_DELIVERY_CODES, type ShipmentStatus } from '@navette/contract';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import { refuseDriver } from '../../http/driver-refusal.ts';
import type { SpokenChannel } from '../../http/spoken-channel.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { IN_HAND } from '../drivers/index.ts';
import { changeStatus, readSignedReference } from '../shipments/index.ts';
import { lockRun } from './read-runs.ts';

export interface Moving {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'linkSecrets' | 'timeZone'>;
}

export interface Step {
  driverId: string;
  shipmentId: string;
  channel: SpokenChannel;
  now: Date;
}

type Trigger = 'pick_up' | 'depart' | 'deliver';
type Run = Awaited<ReturnType<typeof lockRun>>;

const LEADS_TO: Record<Trigger, ShipmentStatus> = { pick_up: 'picked_up', depart: 'in_transit', deliver: 'delivered' };

/** A collected parcel is handed over against the QR code that only its contact got. */
export async function pickUpRun(moving: Moving, step: Step, pickupToken: string | undefined): Promise<void> {
  await inOneStep(moving, step, 'pick_up', (run) => {
    if (!run.isCollection) return;
    if (pickupToken === undefined) refuseDriver('PICKUP_TOKEN_REQUIRED');
    const signed = readSignedReference(moving.config.linkSecrets, 'pick-up', pickupToken);
    if (signed !== run.referenceNumber) refuseDriver('WRONG_PICKUP_TOKEN');
  });
}

export async function departWithRun(moving: Moving, step: Step): Promise<void> {
  await inOneStep(moving, step, 'depart', () => {});
}

/**
 * Wrong codes are counted under the shipment's lock, so that a thousand guesses at once get five looks, and the count
 * commits although the delivery is refused.
 */
export async function deliverRun(moving: Moving, step: Step, deliveryCode: string): Promise<void> {
  const wrongCodes = await moving.db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, step.driverId, step.shipmentId);
    if (run.status === 'delivered') return null;
    if (!IN_HAND.some((status) => status === run.status)) refuseDriver('NOT_ALLOWED_NOW'); // a code is not spent on it
    if (run.wrongCodes >= MAX_WRONG_DELIVERY_CODES) refuseDriver('DELIVERY_CODE_LOCKED');
    if (!isSameCode(deliveryCode, run.deliveryCode)) return countWrongCode(tx, run, step.shipmentId);
    await move(tx, moving, run, step, 'deliver');
    return null;
  });
  if (wrongCodes === null) return;
  if (wrongCodes >= MAX_WRONG_DELIVERY_CODES) refuseDriver('DELIVERY_CODE_LOCKED');
  refuseDriver('WRONG_DELIVERY_CODE', { attemptsLeft: MAX_WRONG_DELIVERY_CODES - wrongCodes });
}

/** In constant time; of another length it is wrong without a look. */
function isSameCode(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given.replaceAll(/\s/g, '')), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function countWrongCode(tx: Tx, { accountId, wrongCodes }: Run, shipmentId: string): Promise<number> {
  await tx
    .updateTable('shipments')
    .set({ wrong_delivery_codes: wrongCodes + 1 })
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .execute();
  return wrongCodes + 1;
}

async function inOneStep(moving: Moving, step: Step, trigger: Trigger, check: (run: Run) => void): Promise<void> {
  await moving.db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, step.driverId, step.shipmentId);
    // The answer to the first call may have been lost: saying it again is no error, and changes nothing.
    if (run.status === LEADS_TO[trigger]) return;
    check(run);
    await move(tx, moving, run, step, trigger);
  });
}

async function move(tx: Tx, { jobs, config }: Moving, run: Run, step: Step, trigger: Trigger): Promise<void> {
  const { channel, now, shipmentId } = step;
  const { timeZone } = config;
  const changed = await changeStatus(tx, jobs, run.accountId, shipmentId, { trigger, channel, now, timeZone });
  if (changed.outcome !== 'changed') refuseDriver('NOT_ALLOWED_NOW');
}
