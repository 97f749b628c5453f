import type { ShipmentStatus } from '@navette/contract';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { searchDriverJob } from '../../jobs/definitions.ts';
import { changeStatus, isReferenceNumber, setLocation } from '../shipments/index.ts';
import { recordDecision } from './decisions.ts';
import { endSearch, type LockedShipment, lockActiveSearch, lockShipment, tellDrivers } from './searches.ts';

/** What the operator's hands do. Their work crosses accounts, so every function here says "any". */
export interface OperatorHands {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'timeZone'>;
  now: Date;
}

export type HandsOutcome =
  | { outcome: 'done'; from: ShipmentStatus; to: ShipmentStatus; previousDriver: string | null }
  | { outcome: 'unknown' }
  | { outcome: 'not-allowed'; status: ShipmentStatus; why?: string };

export async function findAnyShipment(db: Database, referenceNumber: string) {
  const wanted = referenceNumber.trim().toUpperCase();
  if (!isReferenceNumber(wanted)) return undefined;
  return db
    .selectFrom('shipments')
    .select(['account_id as accountId', 'id', 'status', 'reference_number as referenceNumber'])
    .where('reference_number', '=', wanted)
    .executeTakeFirst();
}

/** Gives a shipment to a driver, from another one too; merchants hear of it each time. Limits on runs do not apply. */
export function assignAnyShipment(hands: OperatorHands, referenceNumber: string, driverId: string) {
  return withAnyShipment(hands, referenceNumber, async (tx, shipment) => {
    const { jobs, now } = hands;
    const { accountId, id: shipmentId, status, driverId: previous } = shipment;
    if (status === 'assigned' && previous === driverId) {
      return { outcome: 'not-allowed', status, why: 'this driver has it already' };
    }
    const search = await lockActiveSearch(tx, accountId, shipmentId);
    const changed = await move(tx, hands, shipment, { trigger: 'assign', driverId });
    if (changed.outcome !== 'done') return changed;
    if (search) await endSearch(tx, jobs, search, { state: 'assigned', now });
    const details = { by: 'operator' as const, previous };
    const searchId = search?.id ?? null;
    await recordDecision(tx, { accountId, shipmentId, searchId, kind: 'assigned', at: now, driverId, details });
    const concerned = [driverId, ...(status === 'assigned' && previous ? [previous] : [])];
    await tellDrivers(tx, jobs, { accountId, shipmentId }, concerned, 'shipment-changed');
    return changed;
  });
}

/** Takes a shipment from its driver; another one is searched. */
export function unassignAnyShipment(hands: OperatorHands, referenceNumber: string) {
  return withAnyShipment(hands, referenceNumber, async (tx, shipment) => {
    const { jobs, now } = hands;
    const { accountId, id: shipmentId, driverId } = shipment;
    const changed = await move(tx, hands, shipment, { trigger: 'abandon' });
    if (changed.outcome !== 'done') return changed;
    await recordDecision(tx, { accountId, shipmentId, kind: 'taken away', at: now, driverId });
    if (driverId) await tellDrivers(tx, jobs, { accountId, shipmentId }, [driverId], 'shipment-changed');
    return changed;
  });
}

/** For a recipient whose code is locked or lost. The reason is kept with the shipment. */
export function confirmAnyDelivery(hands: OperatorHands, referenceNumber: string, reason: string) {
  return withAnyShipment(hands, referenceNumber, async (tx, shipment) => {
    const { jobs, now } = hands;
    const { accountId, id: shipmentId, driverId } = shipment;
    const changed = await move(tx, hands, shipment, { trigger: 'deliver' });
    if (changed.outcome !== 'done') return changed;
    await tx
      .updateTable('shipments')
      .set({ delivery_reason: reason })
      .where('account_id', '=', accountId)
      .where('id', '=', shipmentId)
      .execute();
    const details = { reason };
    await recordDecision(tx, { accountId, shipmentId, kind: 'delivery confirmed', at: now, driverId, details });
    if (driverId) await tellDrivers(tx, jobs, { accountId, shipmentId }, [driverId], 'shipment-changed');
    return changed;
  });
}

interface Place {
  latitude: number;
  longitude: number;
}

/** Says where an address is that the geocoder did not find, and lets the search go on. False: no such shipment. */
export async function locateAnyShipment(
  { db, jobs }: OperatorHands,
  referenceNumber: string,
  places: { pickup: Place | null; delivery: Place | null },
): Promise<boolean> {
  const found = await findAnyShipment(db, referenceNumber);
  if (!found) return false;
  const { accountId, id: shipmentId } = found;
  await setLocation(db, accountId, shipmentId, places);
  await db.transaction().execute((tx) => jobs.send(tx, searchDriverJob, { accountId, shipmentId }));
  return true;
}

async function withAnyShipment(
  { db }: OperatorHands,
  referenceNumber: string,
  work: (tx: Tx, shipment: LockedShipment) => Promise<HandsOutcome>,
): Promise<HandsOutcome> {
  const found = await findAnyShipment(db, referenceNumber);
  if (!found) return { outcome: 'unknown' };
  return db.transaction().execute(async (tx) => {
    const shipment = await lockShipment(tx, found.accountId, found.id);
    return shipment ? work(tx, shipment) : { outcome: 'unknown' };
  });
}

async function move(
  tx: Tx,
  { jobs, config, now }: OperatorHands,
  { accountId, id, driverId: previousDriver }: LockedShipment,
  change: { trigger: 'assign' | 'abandon' | 'deliver'; driverId?: string },
): Promise<HandsOutcome> {
  const { timeZone } = config;
  const changed = await changeStatus(tx, jobs, accountId, id, { ...change, channel: 'http', now, timeZone });
  if (changed.outcome === 'changed') return { outcome: 'done', from: changed.from, to: changed.to, previousDriver };
  return changed.outcome === 'unknown' ? changed : { outcome: 'not-allowed', status: changed.from };
}
