import { timingSafeEqual } from 'node:crypto';
import { MAX_WRONG_DELIVERY_CODES, type ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { CommandChannel } from '../../http/command-channel.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseAsUnknownRun, refuseDriver } from '../../refusals/driver-refusal.ts';
import { recordDecision } from '../dispatch/index.ts';
import {
  ACTIVE_RUN_STATUSES,
  applyOnce,
  type DriverCommand,
  forgetPlace,
  type RecordedRefusal,
} from '../drivers/index.ts';
import { openIncident } from '../incidents/index.ts';
import { changeLocked, judgeDeliveryQr, lockForChange, readSignedReference } from '../shipments/index.ts';
import { type DriverRow, driverColumns } from './read-runs.ts';
import { type StepTime, timeOfStep } from './step-time.ts';

export interface RunContext {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'linkSecrets' | 'timeZone'>;
}

/** Which run a driver changes, by which command and over which channel. */
export interface RunStep {
  command: DriverCommand;
  shipmentId: string;
  channel: CommandChannel;
}

type Trigger = 'pick_up' | 'depart' | 'deliver';
type Run = NonNullable<Awaited<ReturnType<typeof lockRun>>>;
/** The run after the step, for the answer; null when it must be read: nothing changed, or an incident ended with it. */
export type MovedRun = DriverRow | null;

const STATUS_AFTER: Record<Trigger, ShipmentStatus> = {
  pick_up: 'picked_up',
  depart: 'in_transit',
  deliver: 'delivered',
};
const LATE_MS = 60_000; // a command that took longer to arrive was given without network

/** A collection is picked up with the QR code that only its contact received. */
export async function pickUpRun(
  context: RunContext,
  step: RunStep,
  pickupToken: string | undefined,
): Promise<MovedRun> {
  return moveRun(context, step, 'pick_up', (run) => {
    if (!run.isCollection) return;
    if (pickupToken === undefined) refuseDriver('PICKUP_TOKEN_REQUIRED');
    const signed = readSignedReference(context.config.linkSecrets, 'pick-up', pickupToken);
    if (signed !== run.reference_number) refuseDriver('WRONG_PICKUP_TOKEN');
  });
}

export async function departWithRun(context: RunContext, step: RunStep): Promise<MovedRun> {
  return moveRun(context, step, 'depart', () => {});
}

/** Shown by the recipient: six figures, or the QR code of their page. */
export interface DeliveryEvidence {
  deliveryCode?: string;
  deliveryQr?: string;
}

/**
 * Counts wrong codes under the shipment's lock: of a thousand concurrent guesses, five are compared. The count commits
 * although the delivery is refused. A wrong code that was typed without network opens an incident: the driver has left.
 */
export async function deliverRun(context: RunContext, step: RunStep, evidence: DeliveryEvidence): Promise<MovedRun> {
  const { command, shipmentId } = step;
  let moved: MovedRun = null;
  await applyOnce(context.db, command, shipmentId, async (tx) => {
    const run = (await lockRun(tx, step)) ?? refuseAsUnknownRun();
    if (run.status === 'delivered') {
      await forgetPlace(tx, command);
      return null;
    }
    // Refused before the code is compared, so that this call uses up no attempt.
    if (!isActive(run)) refuseDriver('NOT_ALLOWED_NOW');
    if (run.wrongCodes >= MAX_WRONG_DELIVERY_CODES) refuseDriver('DELIVERY_CODE_LOCKED');
    const time = timeOf(run, command);
    const refusal = await judgeEvidence(tx, context, run, evidence, step, time);
    if (refusal) {
      if (isLate(command))
        await openRunIncident(tx, context, run, step, { kind: 'code_refused', note: null, place: null });
      return refusal;
    }
    moved = await changeRunStatus(tx, context, run, step, 'deliver', time);
    return null;
  });
  return moved;
}

async function judgeEvidence(
  tx: Tx,
  { config }: RunContext,
  run: Run,
  { deliveryCode, deliveryQr }: DeliveryEvidence,
  { shipmentId, command: { receivedAt } }: RunStep,
  { at }: StepTime,
): Promise<RecordedRefusal | null> {
  if (deliveryQr !== undefined) {
    const verdict = judgeDeliveryQr(config.linkSecrets, deliveryQr, run.reference_number, at);
    return verdict === 'valid' ? null : { slug: 'WRONG_DELIVERY_QR', extra: { why: verdict } };
  }
  if (deliveryCode === undefined) refuseDriver('DELIVERY_CODE_REQUIRED');
  if (isSameCode(deliveryCode, run.deliveryCode)) return null;
  const wrongCodes = await countWrongCode(tx, run, shipmentId, receivedAt);
  if (wrongCodes >= MAX_WRONG_DELIVERY_CODES) return { slug: 'DELIVERY_CODE_LOCKED', extra: {} };
  return { slug: 'WRONG_DELIVERY_CODE', extra: { attemptsLeft: MAX_WRONG_DELIVERY_CODES - wrongCodes } };
}

type ReportedIncident = Pick<Parameters<typeof openIncident>[2], 'kind' | 'note' | 'place'>;

/** The status stays: the contract has none for a parcel that could not be handed over. */
export async function reportRunIncident(context: RunContext, step: RunStep, incident: ReportedIncident): Promise<void> {
  await applyOnce(context.db, step.command, step.shipmentId, async (tx) => {
    const run = (await lockRun(tx, step)) ?? refuseAsUnknownRun();
    if (!isActive(run)) refuseDriver('NOT_ALLOWED_NOW');
    await openRunIncident(tx, context, run, step, incident);
    return null;
  });
}

async function openRunIncident(
  tx: Tx,
  { jobs }: RunContext,
  run: Run,
  { command, shipmentId }: RunStep,
  incident: ReportedIncident,
): Promise<void> {
  const { driverId, receivedAt } = command;
  const { at: happenedAt } = timeOf(run, command);
  await openIncident(tx, jobs, {
    ...incident,
    accountId: run.account_id,
    shipmentId,
    driverId,
    happenedAt,
    receivedAt,
  });
}

/**
 * The driver gives the run up. The `follow-change` job starts a search for another driver, which leaves this one out.
 * Idempotent: the response to the first call may have been lost. By then another driver may have the run, so the
 * recorded decision shows that this driver abandoned it.
 */
export async function abandonRun(context: RunContext, step: RunStep, reason: string | null): Promise<void> {
  const { command, shipmentId } = step;
  const { driverId, receivedAt: at } = command;
  await applyOnce(context.db, command, shipmentId, async (tx) => {
    const run = await lockRun(tx, step);
    if (!run) return (await hasAbandoned(tx, driverId, shipmentId)) ? null : refuseAsUnknownRun();
    await changeRunStatus(tx, context, run, step, 'abandon', { at, unusedBecause: null });
    const { account_id: accountId } = run;
    await recordDecision(tx, { accountId, shipmentId, kind: 'abandoned', at, driverId, details: { reason } });
    return null;
  });
}

/** Compares in constant time. The expected code is null once it was erased, some time after the delivery. */
function isSameCode(given: string, expected: string | null): boolean {
  const [one, other] = [Buffer.from(given.replaceAll(/\s/g, '')), Buffer.from(expected ?? '')];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function countWrongCode(tx: Tx, { account_id, wrongCodes }: Run, shipmentId: string, now: Date): Promise<number> {
  const isLocked = wrongCodes + 1 >= MAX_WRONG_DELIVERY_CODES;
  await tx
    .updateTable('shipments')
    .set({ wrong_delivery_codes: wrongCodes + 1, ...(isLocked ? { code_locked_at: now } : {}) })
    .where('account_id', '=', account_id)
    .where('id', '=', shipmentId)
    .execute();
  return wrongCodes + 1;
}

/** Reads across accounts: a driver may have abandoned a run of any account. */
async function hasAbandoned(tx: Tx, driverId: string, shipmentId: string): Promise<boolean> {
  if (!isUuid(shipmentId)) return false;
  const decision = await tx
    .selectFrom('dispatch_decisions')
    .select('number')
    .where('driver_id', '=', driverId)
    .where('shipment_id', '=', shipmentId)
    .where('kind', '=', sql.lit('abandoned')) // uses the index dispatch_decisions_given_back
    .limit(1)
    .executeTakeFirst();
  return decision !== undefined;
}

async function moveRun(
  context: RunContext,
  step: RunStep,
  trigger: Trigger,
  check: (run: Run) => void,
): Promise<MovedRun> {
  let moved: MovedRun = null;
  await applyOnce(context.db, step.command, step.shipmentId, async (tx) => {
    const run = (await lockRun(tx, step)) ?? refuseAsUnknownRun();
    // Idempotent also without a command id: the response to the first call may have been lost.
    if (run.status === STATUS_AFTER[trigger]) {
      await forgetPlace(tx, step.command);
      return null;
    }
    check(run);
    moved = await changeRunStatus(tx, context, run, step, trigger, timeOf(run, step.command));
    return null;
  });
  return moved;
}

const isActive = ({ status, returned_at }: Run) =>
  returned_at === null && ACTIVE_RUN_STATUSES.some((active) => active === status);

const isLate = ({ doneAt, receivedAt }: DriverCommand) =>
  doneAt !== null && receivedAt.getTime() - doneAt.getTime() > LATE_MS;

function timeOf({ history, pickedUpAt, departedAt }: Run, { doneAt, receivedAt }: DriverCommand): StepTime {
  const assigned = history.findLast(({ status }) => status === 'assigned')?.at;
  return timeOfStep(doneAt, receivedAt, departedAt ?? pickedUpAt ?? (assigned ? new Date(assigned) : null));
}

/** Locks a shipment of the driver. A shipment of another driver, or of none, is not found. */
async function lockRun(tx: Tx, { command: { driverId }, shipmentId }: RunStep) {
  if (!isUuid(shipmentId)) return undefined;
  return lockForChange(tx)
    .select(['is_collection as isCollection', 'delivery_code as deliveryCode', 'wrong_delivery_codes as wrongCodes'])
    .select(['status_history as history', 'picked_up_at as pickedUpAt', 'departed_at as departedAt'])
    .where('driver_id', '=', driverId)
    .where('id', '=', shipmentId)
    .executeTakeFirst();
}

async function changeRunStatus(
  tx: Tx,
  { jobs, config }: RunContext,
  run: Run,
  { channel, command, shipmentId }: RunStep,
  trigger: Trigger | 'abandon',
  { at, unusedBecause }: StepTime,
): Promise<MovedRun> {
  const { receivedAt: now, driverId, doneAt } = command;
  const { timeZone } = config;
  const incident = { resolution: 'tried_again', by: 'driver', now } as const;
  const ending = trigger === 'deliver' ? { incident } : {};
  const change = { trigger, channel, now, timeZone, returning: driverColumns, ...ending };
  const changed = await changeLocked(tx, jobs, run, at < now ? { ...change, doneAt: at } : change);
  if (changed.outcome !== 'changed') return refuseDriver('NOT_ALLOWED_NOW');
  const row = (changed.row ?? null) as MovedRun;
  const moved = row?.incident && trigger === 'deliver' ? null : row;
  if (!unusedBecause || !doneAt) return moved;
  const details = { doneAt: doneAt.toISOString(), why: unusedBecause, status: changed.to };
  await recordDecision(tx, {
    accountId: run.account_id,
    shipmentId,
    kind: 'time not used',
    at: now,
    driverId,
    details,
  });
  return moved;
}
