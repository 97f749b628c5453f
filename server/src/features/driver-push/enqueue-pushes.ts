import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type DriverNotification, sendPushJob } from '../../jobs/definitions.ts';
import type { Traced } from '../../observability/trace-context.ts';

/** A notification, and the sessions of its drivers' subscribed devices. */
export interface Notified extends Traced<DriverNotification> {
  sessionIds: string[];
}

/** `sessionIds` are the sessions of the drivers' subscribed devices, when the caller has read them. */
export async function enqueuePushes(
  tx: Tx,
  jobs: JobSender,
  notification: Traced<DriverNotification>,
  sessionIds?: string[],
): Promise<void> {
  const sessions = sessionIds ?? (await listSubscribedSessions(tx, notification.driverIds));
  await enqueueAllPushes(tx, jobs, [{ ...notification, sessionIds: sessions }]);
}

/** One job per subscribed device of the drivers: a device whose push service fails does not delay or repeat the others. */
export const enqueueAllPushes = (tx: Tx, jobs: JobSender, notified: Notified[]): Promise<void> =>
  jobs.sendAll(
    tx,
    sendPushJob,
    notified.flatMap(({ accountId, shipmentId, push, traceparent, sessionIds }) =>
      sessionIds.map((sessionId) => ({ payload: { accountId, shipmentId, sessionId, push, traceparent } })),
    ),
  );

async function listSubscribedSessions(tx: Tx, driverIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ sessions: string[] }>`
    select ${subscribedSessions('d.id')} as sessions from unnest(${driverIds}::uuid[]) as d (id)`.execute(tx);
  return rows.flatMap(({ sessions }) => sessions);
}

/** The sessions of a driver's subscribed devices. For a statement that returns the column with the driver's id. */
export const subscribedSessions = (driverId: string) => sql<string[]>`array(
  select s.id from driver_push_subscriptions p join driver_sessions s on s.token_hash = p.token_hash
  where p.driver_id = ${sql.ref(driverId)} and s.closed_at is null)`;
