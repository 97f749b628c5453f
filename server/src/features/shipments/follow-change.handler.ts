import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import {
  activateShipmentJob,
  locateShipmentJob,
  type ShipmentChange,
  searchDriverJob,
} from '../../jobs/definitions.ts';
import { type MessageSettings, writeMessages } from '../messages/index.ts';
import { addSearchKeys } from '../shipment-desk/index.ts';
import { type Addressee, addDeliveries } from '../webhooks/index.ts';

export interface Following {
  db: Database;
  jobs: JobSender;
  config: MessageSettings;
  /** Starts a round for each of these webhooks, unless one is under way. */
  ring: (addressees: Addressee[]) => Promise<void>;
}

/**
 * What follows changes, many at a time: in one transaction, without a call to anything outside. What takes longer
 * becomes a job of its own. Carried out again after a crash, each step finds its work done and does nothing.
 */
export async function followChanges({ db, jobs, config, ring }: Following, changes: ShipmentChange[]): Promise<void> {
  const addressees = await db.transaction().execute(async (tx) => {
    await prepareProgrammed(tx, jobs, changes);
    await addSearchKeys(tx, changes);
    await searchDrivers(tx, jobs, changes);
    await writeMessages(tx, jobs, config, changes);
    return addDeliveries(tx, changes);
  });
  if (addressees.length > 0) await ring(addressees);
}

/** A driver is searched for what is or becomes `created`; a search ends with the shipment's cancellation. */
async function searchDrivers(tx: Tx, jobs: JobSender, changes: ShipmentChange[]): Promise<void> {
  const concerned = changes.filter(({ status }) => status === 'created' || status === 'cancelled');
  await jobs.sendAll(
    tx,
    searchDriverJob,
    concerned.map(({ accountId, shipmentId }) => ({ payload: { accountId, shipmentId } })),
  );
}

interface Waiting {
  accountId: string;
  shipmentId: string;
  status: string;
  activateAt: Date | null;
  isLocated: boolean;
}

/**
 * A programmed shipment gets its alarm clock, and its addresses are looked up in good time: one job each, by key. Where a
 * `created` one is, its search finds out.
 */
async function prepareProgrammed(tx: Tx, jobs: JobSender, changes: ShipmentChange[]): Promise<void> {
  const programmed = changes.filter(({ status }) => status === 'programmed');
  if (programmed.length === 0) return;
  const { rows } = await sql<Waiting>`
    select s.account_id as "accountId", s.id as "shipmentId", s.status, s.activate_at as "activateAt",
           s.pickup_address->>'location' is not null and s.delivery_address->>'coordinates' is not null as "isLocated"
    from json_to_recordset(${JSON.stringify(programmed)}) as born ("accountId" uuid, "shipmentId" uuid)
    join shipments s on (s.account_id, s.id) = (born."accountId", born."shipmentId")
  `.execute(tx);
  const entryFor = ({ accountId, shipmentId }: Waiting) => ({
    payload: { accountId, shipmentId },
    singletonKey: shipmentId,
  });
  const alarms = rows.flatMap((shipment) => {
    const { status, activateAt } = shipment;
    return status === 'programmed' && activateAt ? { ...entryFor(shipment), startAfter: activateAt } : [];
  });
  await jobs.sendAll(tx, activateShipmentJob, alarms);
  await jobs.sendAll(tx, locateShipmentJob, rows.filter(({ isLocated }) => !isLocated).map(entryFor));
}
