import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { notifyDriversJob } from '../../jobs/definitions.ts';
import { enqueuePushes } from '../driver-push/index.ts';
import type { Search } from './searches.ts';

/** Ends the search, withdraws its open offers and notifies their drivers. */
export async function endSearch(
  tx: Tx,
  jobs: JobSender,
  search: Search,
  { state, now, winner }: { state: 'assigned' | 'stopped'; now: Date; winner?: string },
): Promise<void> {
  const closed = await tx
    .with('ended', (query) =>
      query.updateTable('driver_searches').set({ state, ended_at: now }).where('id', '=', search.id),
    )
    .updateTable('driver_offers')
    .set({
      answer: sql<string>`case when driver_id = ${winner ?? null} then 'accepted' else 'withdrawn' end`,
      answered_at: now,
    })
    .where('search_id', '=', search.id)
    .where('answer', 'is', null)
    .returning('driver_id')
    .execute();
  const losers = closed.map(({ driver_id }) => driver_id).filter((driverId) => driverId !== winner);
  await notifyDrivers(tx, jobs, search, losers, 'offer-withdrawn');
}

/** Sets the answer of the open offers of a search, or of one driver's; returns the drivers. */
export async function closeOffers(
  tx: Tx,
  { id }: Pick<Search, 'id'>,
  answer: 'refused' | 'expired' | 'withdrawn',
  now: Date,
  driverId?: string,
): Promise<string[]> {
  const rows = await tx
    .updateTable('driver_offers')
    .set({ answer, answered_at: now })
    .where('search_id', '=', id)
    .where('answer', 'is', null)
    .$if(driverId !== undefined, (query) => query.where('driver_id', '=', driverId as string))
    .returning('driver_id')
    .execute();
  return rows.map(({ driver_id }) => driver_id);
}

export async function hasOpenOffers(tx: Tx, { id }: Search): Promise<boolean> {
  const open = await tx
    .selectFrom('driver_offers')
    .select('id')
    .where('search_id', '=', id)
    .where('answer', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

/** Over the sockets of apps that are open, and by push message to devices that subscribed. */
export async function notifyDrivers(
  tx: Tx,
  jobs: JobSender,
  { accountId, shipmentId }: { accountId: string; shipmentId: string },
  driverIds: string[],
  push: 'offer' | 'offer-withdrawn' | 'shipment-changed',
): Promise<void> {
  if (driverIds.length === 0) return;
  const notification = { accountId, shipmentId, driverIds, push };
  await jobs.send(tx, notifyDriversJob, notification);
  await enqueuePushes(tx, jobs, notification);
}
