import { sql } from 'kysely';
import { aheadOf, realTimeOf, type TwinClock } from '../../calendar/twin-clock.ts';
import type { Database, Tx } from '../../database/database.ts';
import { settled } from '../../database/pipelined-transaction.ts';
import type { JobSender } from '../../jobs/boss.ts';
import {
  activateShipmentJob,
  type DriverNotification,
  locateShipmentJob,
  type ShipmentChange,
  type ShipmentPayload,
  searchDriverJob,
  traceparentsOf,
} from '../../jobs/definitions.ts';
import type { Traced } from '../../observability/trace-context.ts';
import { type MessageMetrics, type MessageSettings, type SendingAtOnce, writeMessages } from '../messages/index.ts';
import { addSearchKeys } from '../shipment-desk/index.ts';
import { addDeliveries, type PendingWebhook } from '../webhooks/index.ts';

export interface FollowUpContext {
  db: Database;
  jobs: JobSender;
  config: MessageSettings;
  metrics: MessageMetrics;
  /** Starts a sender for each of these webhooks, unless one is active. */
  wakeSenders: (webhooks: PendingWebhook[]) => Promise<void>;
  /** Pushes over the drivers' sockets, or enqueues the push. */
  pushToDrivers: (notification: DriverNotification) => Promise<void>;
  /** Takes the first step of a search. Returns false when that may be slow, and rejects when it failed. */
  searchDriver: (shipment: Traced<ShipmentPayload>) => Promise<boolean>;
  /** Absent in a worker that sends no messages: they all get jobs. */
  messages?: SendingAtOnce | undefined;
}

/** A batch with more new shipments leaves their searches to jobs, so that the next batch does not wait for them. */
const MAX_SEARCHES = 40;

/**
 * The follow-up work of many changes, in one transaction and without external calls. Slow work is enqueued as a job of
 * its own. After the commit, the first messages begin to be sent, drivers are notified, and searched for a few new
 * shipments. Every step is idempotent: a run that is repeated after a crash does what is left to do.
 */
export async function followChanges(
  { db, jobs, config, metrics, wakeSenders, pushToDrivers, searchDriver, messages }: FollowUpContext,
  changes: Traced<ShipmentChange>[],
): Promise<void> {
  const searches = changes.filter(({ status }) => status === 'created').map(toSearch);
  const isFew = searches.length <= MAX_SEARCHES;
  const ended = changes.filter(({ status }) => status === 'cancelled').map(toSearch);
  const { webhooks, reserved, refused } = await db.transaction().execute(async (tx) => {
    await prepareProgrammed(tx, jobs, changes);
    await addSearchKeys(tx, changes);
    await enqueueSearches(tx, jobs, isFew ? ended : [...searches, ...ended]);
    const pending = await addDeliveries(tx, jobs, changes);
    // Last, since it locks the count of SMS of each account, for which other workers wait.
    return { ...(await writeMessages(tx, jobs, config, changes, messages?.reserve())), webhooks: pending };
  });
  messages?.begin(reserved);
  for (const reason of refused) metrics.refused(reason);
  if (webhooks.length > 0) await wakeSenders(webhooks);
  const pushes = changes.map(async ({ accountId, shipmentId, withdrawnFrom: driverIds }) => {
    if (driverIds) await pushToDrivers({ accountId, shipmentId, driverIds, push: 'offer-withdrawn' });
  });
  const begun = (isFew ? searches : []).map(async (search) => {
    if (await searchDriver(search).catch(() => false)) return;
    await db.transaction().execute((tx) => enqueueSearches(tx, jobs, [search]));
  });
  await settled([...pushes, ...begun]);
}

const toSearch = ({ accountId, shipmentId, traceparent }: Traced<ShipmentChange>): Traced<ShipmentPayload> => ({
  accountId,
  shipmentId,
  traceparent,
});

/** Starts the search for a driver of a shipment in status `created`, and ends the search of a cancelled one. */
const enqueueSearches = (tx: Tx, jobs: JobSender, searches: Traced<ShipmentPayload>[]) =>
  jobs.sendAll(
    tx,
    searchDriverJob,
    searches.map((payload) => ({ payload })),
  );

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
