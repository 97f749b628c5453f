import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { notifyDriversJob } from '../../jobs/definitions.ts';
import { enqueuePushes, subscribedSessions } from '../driver-push/index.ts';
import { type Decision, insertDecision } from './decisions.ts';
import type { Search } from './searches.ts';

interface SearchEnd extends Pick<Decision, 'driverId' | 'details'> {
  state: 'assigned' | 'stopped';
  now: Date;
  /** The driver who accepted. */
  winner?: string;
}

type EndedSearch = Pick<Search, 'id' | 'accountId' | 'shipmentId'>;

/** Ends the search, records the decision, withdraws the open offers and notifies their drivers. */
export async function endSearch(tx: Tx, jobs: JobSender, search: EndedSearch, end: SearchEnd): Promise<void> {
  const { driverIds, sessionIds } = await closeSearch(tx, search, end);
  await notifyDrivers(tx, jobs, search, driverIds, 'offer-withdrawn', sessionIds);
}

/** Like `endSearch`; returns the drivers whose offers were withdrawn, whom the caller must notify. */
export async function closeSearch(
  tx: Tx,
  { id: searchId, accountId, shipmentId }: EndedSearch,
  { state, now, winner, driverId = null, details = {} }: SearchEnd,
): Promise<{ driverIds: string[]; sessionIds: string[] }> {
  const decision = { accountId, shipmentId, searchId, kind: state, at: now, driverId, details };
  const closed = await tx
    .with('ended', (query) =>
      query.updateTable('driver_searches').set({ state, ended_at: now }).where('id', '=', searchId),
    )
    .with('decided', (query) => insertDecision(query, decision))
    .updateTable('driver_offers')
    .set({
      answer: sql<string>`case when driver_id = ${winner ?? null} then 'accepted' else 'withdrawn' end`,
      answered_at: now,
    })
    .where('search_id', '=', searchId)
    .where('answer', 'is', null)
    .returning(['driver_id', subscribedSessions('driver_offers.driver_id').as('sessions')])
    .execute();
  const losers = closed.filter(({ driver_id }) => driver_id !== winner);
  return {
    driverIds: losers.map(({ driver_id }) => driver_id),
    sessionIds: losers.flatMap(({ sessions }) => sessions),
  };
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

/** The drivers with an open offer of this search. */
export async function listAsked(tx: Tx, { id }: Search): Promise<string[]> {
  const open = await tx
    .selectFrom('driver_offers')
    .select('driver_id')
    .where('search_id', '=', id)
    .where('answer', 'is', null)
    .execute();
  return open.map(({ driver_id }) => driver_id);
}

/**
 * Over the sockets of apps that are open, and by push message to devices that subscribed, whose sessions the caller may
 * know.
 */
export async function notifyDrivers(
  tx: Tx,
  jobs: JobSender,
  { accountId, shipmentId }: { accountId: string; shipmentId: string },
  driverIds: string[],
  push: 'offer' | 'offer-withdrawn' | 'shipment-changed',
  sessionIds?: string[],
): Promise<void> {
  if (driverIds.length === 0) return;
  const notification = { accountId, shipmentId, driverIds, push };
  await jobs.send(tx, notifyDriversJob, notification);
  await enqueuePushes(tx, jobs, notification, sessionIds);
}
