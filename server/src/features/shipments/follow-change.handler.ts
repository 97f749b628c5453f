import { sql } from 'kysely';
import { aheadOf, realTimeOf, type TwinClock } from '../../calendar/twin-clock.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import {
  activateShipmentJob,
  type DriverNotification,
  locateShipmentJob,
  notifyDriversJob,
  type ShipmentChange,
  searchDriverJob,
  traceparentsOf,
} from '../../jobs/definitions.ts';
import type { Traced } from '../../observability/trace-context.ts';
import { type MessageMetrics, type MessageSettings, writeMessages } from '../messages/index.ts';
import { addSearchKeys } from '../shipment-desk/index.ts';
import { addDeliveries, type PendingWebhook } from '../webhooks/index.ts';

export interface FollowUpContext {
  db: Database;
  jobs: JobSender;
  config: MessageSettings;
  metrics: MessageMetrics;
  /** Starts a sender for each of these webhooks, unless one is active. */
  wakeSenders: (webhooks: PendingWebhook[]) => Promise<void>;
  /** Pushes over the drivers' sockets. Rejects when the push cannot be published. */
  pushToDrivers: (notification: DriverNotification) => Promise<void>;
}

/**
 * The follow-up work of many changes, in one transaction and without external calls. Slow work is enqueued as a job of
 * its own. Every step is idempotent: a run that is repeated after a crash finds the work done and does nothing.
 */
export async function followChanges(
  { db, jobs, config, metrics, wakeSenders, pushToDrivers }: FollowUpContext,
  changes: Traced<ShipmentChange>[],
): Promise<void> {
  const { webhooks, refusedSms } = await db.transaction().execute(async (tx) => {
    await prepareProgrammed(tx, jobs, changes);
    await addSearchKeys(tx, changes);
    await searchDrivers(tx, jobs, changes);
    const refusedSms = await writeMessages(tx, jobs, config, changes);
    return { refusedSms, webhooks: await addDeliveries(tx, jobs, changes) };
  });
  for (const reason of refusedSms) metrics.refused(reason);
  if (webhooks.length > 0) await wakeSenders(webhooks);
  await Promise.all(
    changes.map(async ({ accountId, shipmentId, withdrawnFrom: driverIds }) => {
      if (!driverIds) return;
      const withdrawal = { accountId, shipmentId, driverIds, push: 'offer-withdrawn' } as const;
      // A failed push becomes a job of its own, which retries for some seconds: the other changes must not be repeated.
      await pushToDrivers(withdrawal).catch(() =>
        db.transaction().execute((tx) => jobs.send(tx, notifyDriversJob, withdrawal)),
      );
    }),
  );
}

/** Starts the search for a driver when a shipment is or becomes `created`, and ends it when the shipment is cancelled. */
async function searchDrivers(tx: Tx, jobs: JobSender, changes: Traced<ShipmentChange>[]): Promise<void> {
  const concerned = changes.filter(({ status }) => status === 'created' || status === 'cancelled');
  await jobs.sendAll(
    tx,
    searchDriverJob,
    concerned.map(({ accountId, shipmentId, traceparent }) => ({ payload: { accountId, shipmentId, traceparent } })),
  );
}

interface Waiting extends TwinClock {
  accountId: string;
  shipmentId: string;
  status: string;
  activateAt: Date | null;
  isLocated: boolean;
}

/**
 * Schedules the activation of programmed shipments and geocodes their addresses ahead of it: one job each, by singleton
 * key. A `created` shipment is geocoded by its search.
 */
async function prepareProgrammed(tx: Tx, jobs: JobSender, changes: Traced<ShipmentChange>[]): Promise<void> {
  const programmed = changes.filter(({ status }) => status === 'programmed');
  if (programmed.length === 0) return;
  const { rows } = await sql<Waiting>`
    select s.account_id as "accountId", s.id as "shipmentId", s.status, s.activate_at as "activateAt",
           a.clock_ahead_ms as "aheadMs", a.clock_held_at as "heldAt",
           s.pickup_address->>'location' is not null and s.delivery_address->>'coordinates' is not null as "isLocated"
    from json_to_recordset(${JSON.stringify(programmed)}) as change ("accountId" uuid, "shipmentId" uuid)
    join shipments s on (s.account_id, s.id) = (change."accountId", change."shipmentId")
    join accounts a on a.id = s.account_id
    order by s.id -- the lock order of jobs with a singleton key
  `.execute(tx);
  const traces = traceparentsOf(programmed);
  const entryFor = ({ accountId, shipmentId }: Waiting) => ({
    payload: { accountId, shipmentId, traceparent: traces.get(shipmentId) },
    singletonKey: shipmentId,
  });
  const now = new Date();
  const activations = rows.flatMap((shipment) => {
    const { status, activateAt } = shipment;
    if (status !== 'programmed' || !activateAt) return [];
    return { ...entryFor(shipment), startAfter: realTimeOf(activateAt, aheadOf(shipment, now)) };
  });
  await jobs.sendAll(tx, activateShipmentJob, activations);
  await jobs.sendAll(tx, locateShipmentJob, rows.filter(({ isLocated }) => !isLocated).map(entryFor));
}
