import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type DriverNotification, sendPushJob } from '../../jobs/definitions.ts';

/** One job per subscribed device of the drivers: a device whose push service fails does not delay or repeat the others. */
export async function enqueuePushes(
  tx: Tx,
  jobs: JobSender,
  { driverIds, accountId, shipmentId, push }: DriverNotification,
): Promise<void> {
  const devices = await tx
    .selectFrom('driver_push_subscriptions as p')
    .innerJoin('driver_sessions as s', 's.token_hash', 'p.token_hash')
    .select('s.id as sessionId')
    .where('p.driver_id', '=', sql<string>`any(${driverIds}::uuid[])`)
    .where('s.closed_at', 'is', null)
    .execute();
  await jobs.sendAll(
    tx,
    sendPushJob,
    devices.map(({ sessionId }) => ({ payload: { accountId, shipmentId, sessionId, push } })),
  );
}
