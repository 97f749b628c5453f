import type { ShipmentStatus } from '@navette/contract';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { searchDriverJob } from '../../jobs/definitions.ts';
import { quotePay } from '../driver-pay/index.ts';
import { hasCapacity } from '../drivers/index.ts';
import { endIncident } from '../incidents/index.ts';
import { changeStatus, isReferenceNumber, setLocation } from '../shipments/index.ts';
import {
  type ActDetails,
  type AuthorizeOperator,
  findActOfCommand,
  type NewOperatorAct,
  recordOperatorAct,
} from '../staff/index.ts';
import { recordDecision } from './decisions.ts';
import { endSearch, notifyDrivers } from './end-search.ts';
import { type LockedShipment, lockActiveSearch, lockShipment } from './searches.ts';
import { readShipmentVersion, requireVersion } from './shipment-version.ts';

/**
 * For the acts of the operator, by the console or the command line. They work across accounts, so the name of every
 * function here contains "Any".
 */
export interface OperatorContext {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'driverPay' | 'timeZone'>;
  now: Date;
  /**
   * Checks the permission inside the transaction and returns the actor, with whom the act is recorded in the log of acts.
   * The command line needs no permission, and records its acts itself.
   */
  authorize?: AuthorizeOperator;
  /** The version of the shipment that a person decided on. The act is refused when the shipment has changed since. */
  version?: string;
  /** Further facts for the entry in the log of acts. */
  details?: ActDetails;
  /** Chosen by the app of a staff member: the same act, sent again, is done once. The entry in the log contains it. */
  commandId?: string;
}

export type OperatorResult =
  | { outcome: 'done'; from: ShipmentStatus; to: ShipmentStatus; previousDriver: string | null }
  | { outcome: 'unknown' }
  | { outcome: 'not-allowed'; status: ShipmentStatus; why?: string; obstacle?: AssignmentObstacle };

/** Obstacles other than the status of the shipment. */
export type AssignmentObstacle = 'same_driver' | 'run_limit' | 'command_reused';

/** Finds a shipment of any live account by its reference number or its id. */
export async function findAnyShipment(db: Database, referenceOrId: string) {
  const wanted = referenceOrId.trim().toUpperCase();
  if (!isUuid(wanted) && !isReferenceNumber(wanted)) return undefined;
  return db
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', (join) => join.onRef('a.id', '=', 's.account_id').on('a.live_account_id', 'is', null))
    .select(['s.account_id as accountId', 's.id', 's.status', 's.reference_number as referenceNumber'])
    .where(isUuid(wanted) ? 's.id' : 's.reference_number', '=', wanted)
    .executeTakeFirst();
}

/**
 * Assigns a shipment, or reassigns it from another driver. Sends an event each time. The limit on runs applies only where
 * it is given: a person who assigns one shipment may exceed it.
 */
export function assignAnyShipment(
  context: OperatorContext,
  referenceOrId: string,
  driverId: string,
  { runsPerDriver }: { runsPerDriver?: number } = {},
) {
  const act = { act: 'shipment.assigned', details: { driver: driverId } } as const;
  return withAnyShipment(context, referenceOrId, act, async (tx, shipment) => {
    const { jobs, now } = context;
    const { accountId, id: shipmentId, status, driverId: previous } = shipment;
    if (status === 'assigned' && previous === driverId) {
      return { outcome: 'not-allowed', status, why: 'it is already assigned to this driver', obstacle: 'same_driver' };
    }
    const search = await lockActiveSearch(tx, accountId, shipmentId);
    if (runsPerDriver !== undefined && !(await hasCapacity(tx, driverId, runsPerDriver))) {
      return { outcome: 'not-allowed', status, obstacle: 'run_limit' };
    }
    const payCents = await quotePay(tx, context.config.driverPay, accountId, shipmentId);
    const changed = await move(tx, context, shipment, { trigger: 'assign', driverId, payCents });
    if (changed.outcome !== 'done') return changed;
    const details = { by: 'operator' as const, previous };
    if (search) await endSearch(tx, jobs, search, { state: 'assigned', now, driverId, details });
    else await recordDecision(tx, { accountId, shipmentId, kind: 'assigned', at: now, driverId, details });
    const affected = [driverId, ...(status === 'assigned' && previous ? [previous] : [])];
    await notifyDrivers(tx, jobs, { accountId, shipmentId }, affected, 'shipment-changed');
    return changed;
  });
}

/** Takes a shipment from its driver and starts a search for another one. */
export function unassignAnyShipment(context: OperatorContext, referenceOrId: string, reason?: string) {
  return withAnyShipment(context, referenceOrId, { act: 'shipment.unassigned', reason }, async (tx, shipment) => {
    const { jobs, now } = context;
    const { accountId, id: shipmentId, driverId } = shipment;
    const changed = await move(tx, context, shipment, { trigger: 'abandon' });
    if (changed.outcome !== 'done') return changed;
    await recordDecision(tx, { accountId, shipmentId, kind: 'taken away', at: now, driverId });
    if (driverId) await notifyDrivers(tx, jobs, { accountId, shipmentId }, [driverId], 'shipment-changed');
    return changed;
  });
}

/** For a recipient whose code is locked or lost. The reason is stored with the shipment; an open incident ends. */
export function confirmAnyDelivery(context: OperatorContext, referenceOrId: string, reason: string) {
  return withAnyShipment(
    context,
    referenceOrId,
    { act: 'shipment.delivery_confirmed', reason },
    async (tx, shipment) => {
      const { accountId, id: shipmentId } = shipment;
      const done = await deliverAsOperator(tx, context, shipment, reason);
      if (done.outcome === 'done') {
        await endIncident(tx, accountId, shipmentId, {
          resolution: 'confirmed',
          by: 'operator',
          reason,
          now: context.now,
        });
      }
      return done;
    },
  );
}

export async function deliverAsOperator(
  tx: Tx,
  context: OperatorContext,
  shipment: LockedShipment,
  reason: string,
): Promise<OperatorResult> {
  const { jobs, now } = context;
  const { accountId, id: shipmentId, driverId } = shipment;
  const changed = await move(tx, context, shipment, { trigger: 'deliver' });
  if (changed.outcome !== 'done') return changed;
  await tx
    .updateTable('shipments')
    .set({ delivery_reason: reason })
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .execute();
  const details = { reason };
  await recordDecision(tx, { accountId, shipmentId, kind: 'delivery confirmed', at: now, driverId, details });
  if (driverId) await notifyDrivers(tx, jobs, { accountId, shipmentId }, [driverId], 'shipment-changed');
  return changed;
}

/**
 * Cancels a shipment before its pickup, with a refund. The merchant sees the reason and the person's name, as of a member.
 * Offers and the search end with the follow-up job, as after a cancellation by the merchant.
 */
export function cancelAnyShipment(context: OperatorContext, referenceOrId: string, reason: string, by: string) {
  return withAnyShipment(context, referenceOrId, { act: 'shipment.cancelled', reason }, async (tx, shipment) => {
    const { accountId, id, driverId: previousDriver } = shipment;
    const { now, jobs, config } = context;
    const { timeZone } = config;
    const change = { trigger: 'cancel', channel: 'http', reason, by, isByOperator: true, now, timeZone } as const;
    const changed = await changeStatus(tx, jobs, accountId, id, change);
    if (changed.outcome === 'changed') return { outcome: 'done', from: changed.from, to: changed.to, previousDriver };
    return changed.outcome === 'unknown' ? changed : { outcome: 'not-allowed', status: changed.from };
  });
}

interface Coordinates {
  latitude: number;
  longitude: number;
}

/** Sets coordinates that the geocoder did not find, and continues the search. */
export function locateAnyShipment(
  context: OperatorContext,
  referenceOrId: string,
  places: { pickup: Coordinates | null; delivery: Coordinates | null },
): Promise<OperatorResult> {
  const located = Object.entries(places).flatMap(([address, place]) => (place ? [address] : []));
  const act = { act: 'shipment.located', details: { addresses: located.join(', ') } } as const;
  return withAnyShipment(context, referenceOrId, act, async (tx, { accountId, id: shipmentId, status, driverId }) => {
    if (status === 'delivered' || status === 'cancelled') return { outcome: 'not-allowed', status };
    await setLocation(tx, accountId, shipmentId, places);
    await context.jobs.send(tx, searchDriverJob, { accountId, shipmentId });
    return { outcome: 'done', from: status, to: status, previousDriver: driverId };
  });
}

/**
 * Runs an act on a locked shipment and records it. The version is compared under the lock, so of two people who decided
 * on the same version one acts, and the other is refused with the name of the first. Lock order: the staff member, the
 * shipment, the rows of the act, the end of the log.
 */
export async function withAnyShipment(
  { db, now, authorize, version, details: more, commandId }: OperatorContext,
  referenceOrId: string,
  { act, reason, details }: Omit<NewOperatorAct, 'subject'>,
  work: (tx: Tx, shipment: LockedShipment) => Promise<OperatorResult>,
): Promise<OperatorResult> {
  const found = await findAnyShipment(db, referenceOrId);
  if (!found) return { outcome: 'unknown' };
  const { accountId, id, referenceNumber: title } = found;
  return db.transaction().execute(async (tx) => {
    const actor = await authorize?.(tx);
    const shipment = await lockShipment(tx, accountId, id);
    if (!shipment) return { outcome: 'unknown' };
    const repeated = commandId && actor ? await findActOfCommand(tx, actor, { act, commandId, subjectId: id }) : null;
    if (repeated) return resultOfRepeated(shipment, repeated.details, details);
    if (version !== undefined) await requireVersion(tx, shipment, version);
    const result = await work(tx, shipment);
    if (result.outcome !== 'done' || !actor) return result;
    const after = await readShipmentVersion(tx, accountId, id);
    const recorded = {
      act,
      reason,
      subject: { type: 'shipment', id, title },
      details: { ...details, ...more, ...(commandId ? { command: commandId } : {}), version: after },
    };
    await recordOperatorAct(tx, actor, recorded, now);
    return result;
  });
}

/** The act was done before. With the same id for another driver, it is another act. */
function resultOfRepeated({ status, driverId }: LockedShipment, done: ActDetails, wanted?: ActDetails): OperatorResult {
  if (done.driver !== wanted?.driver) return { outcome: 'not-allowed', status, obstacle: 'command_reused' };
  return { outcome: 'done', from: status, to: status, previousDriver: driverId };
}

export async function move(
  tx: Tx,
  { jobs, config, now }: OperatorContext,
  { accountId, id, driverId: previousDriver }: LockedShipment,
  change: { trigger: 'assign' | 'abandon' | 'deliver'; driverId?: string; payCents?: number },
): Promise<OperatorResult> {
  const { timeZone } = config;
  const changed = await changeStatus(tx, jobs, accountId, id, { ...change, channel: 'http', now, timeZone });
  if (changed.outcome === 'changed') return { outcome: 'done', from: changed.from, to: changed.to, previousDriver };
  return changed.outcome === 'unknown' ? changed : { outcome: 'not-allowed', status: changed.from };
}
