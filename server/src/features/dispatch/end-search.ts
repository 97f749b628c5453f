import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { notifyDriversJob, type SearchStep } from '../../jobs/definitions.ts';
import type { Traced } from '../../observability/trace-context.ts';
import { enqueueAllPushes, enqueuePushes, subscribedSessions } from '../driver-push/index.ts';
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

/** Ends the open offers of searches whose time has passed, and notifies their drivers. */
export async function expireOffers(
  tx: Tx,
  jobs: JobSender,
  steps: { search: Search; asked: string[]; now: Date; wanted: Traced<SearchStep> }[],
): Promise<void> {
  const given = steps.filter(({ asked }) => asked.length > 0).map(({ search, now }) => ({ id: search.id, now }));
  if (given.length === 0) return;
  const ids = given.map(({ id }) => id); // so that the index is used, however few offers are open
  const { rows } = await sql<{ searchId: string; driverId: string; sessions: string[] }>`
    update driver_offers set answer = 'expired', answered_at = g.now
    from json_to_recordset(${JSON.stringify(given)}) as g (id uuid, now timestamptz)
    where search_id = g.id and search_id = any(${ids}::uuid[]) and answer is null
    returning search_id as "searchId", driver_id as "driverId",
      ${subscribedSessions('driver_offers.driver_id')} as sessions`.execute(tx);
  const bySearch = Map.groupBy(rows, ({ searchId }) => searchId);
  const expired = steps.flatMap(({ search, wanted: { accountId, shipmentId, traceparent } }) => {
    const offers = bySearch.get(search.id);
    if (!offers) return [];
    const driverIds = offers.map(({ driverId }) => driverId);
    const payload = { accountId, shipmentId, driverIds, push: 'offer-withdrawn' as const, traceparent };
    return [{ payload, sessionIds: offers.flatMap(({ sessions }) => sessions) }];
  });
  await jobs.sendAll(
    tx,
    notifyDriversJob,
    expired.map(({ payload }) => ({ payload })),
  );
  await enqueueAllPushes(
    tx,
    jobs,
    expired.map(({ payload, sessionIds }) => ({ ...payload, sessionIds })),
  );
}

/** Sets the answer of the open offers of a search, or of one driver's; returns the drivers. */
export async function closeOffers(
  tx: Tx,
  { id }: Pick<Search, 'id'>,
  answer: 'refused' | 'withdrawn',
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

/** The drivers with an open offer, by search. */
export async function listAllAsked(tx: Tx, searches: Pick<Search, 'id'>[]): Promise<Map<string, string[]>> {
  if (searches.length === 0) return new Map();
  const open = await tx
    .selectFrom('driver_offers')
    .select(['search_id', 'driver_id'])
    .where('search_id', '=', sql<string>`any(${searches.map(({ id }) => id)}::uuid[])`)
    .where('answer', 'is', null)
    .execute();
  const bySearch = Map.groupBy(open, ({ search_id }) => search_id);
  return new Map([...bySearch].map(([id, offers]) => [id, offers.map(({ driver_id }) => driver_id)]));
}

export const listAsked = async (tx: Tx, search: Pick<Search, 'id'>): Promise<string[]> =>
  (await listAllAsked(tx, [search])).get(search.id) ?? [];

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
