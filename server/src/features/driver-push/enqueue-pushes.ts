import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type DriverNotification, sendPushJob } from '../../jobs/definitions.ts';

/**
 * One job per subscribed device of the drivers: a device whose push service fails does not delay or repeat the others.
 * `sessionIds` are the devices' sessions, when the caller has read them.
 */
export async function enqueuePushes(
  tx: Tx,
  jobs: JobSender,
  { driverIds, accountId, shipmentId, push }: DriverNotification,
  sessionIds?: string[],
): Promise<void> {
  const sessions = sessionIds ?? (await listSubscribedSessions(tx, driverIds));
  await jobs.sendAll(
    tx,
    sendPushJob,
    sessions.map((sessionId) => ({ payload: { accountId, shipmentId, sessionId, push } })),
  );
}

async function listSubscribedSessions(tx: Tx, driverIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ sessions: string[] }>`
    select ${subscribedSessions('d.id')} as sessions from unnest(${driverIds}::uuid[]) as d (id)`.execute(tx);
  return rows.flatMap(({ sessions }) => sessions);
}

/** The sessions of a driver's subscribed devices. For a statement that returns the column with the driver's id. */
export const subscribedSessions = (driverId: string) => sql<string[]>`array(
  select s.id from driver_push_subscriptions p join driver_sessions s on s.token_hash = p.token_hash
  where p.driver_id = ${sql.ref(driverId)} and s.closed_at is null)`;
