import { randomUUIDv7 } from 'node:crypto';
import type { ShipmentStatus } from '@navette/contract';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { searchDriverJob, tellDriversJob } from '../../jobs/definitions.ts';

/**
 * A search and its offers. Whoever changes something here holds the locks in this order: shipment, search, offers,
 * one driver, account's counters. That the shipment comes first is what makes one driver win.
 */
export interface Search {
  id: string;
  accountId: string;
  shipmentId: string;
  state: 'searching' | 'unassigned' | 'needs_location';
  step: number;
  round: number;
  wave: number;
}

export interface LockedShipment {
  accountId: string;
  id: string;
  status: ShipmentStatus;
  driverId: string | null;
  history: { status: ShipmentStatus; at: string }[];
}

export async function lockShipment(tx: Tx, accountId: string, id: string): Promise<LockedShipment | null> {
  const row = await tx
    .selectFrom('shipments')
    .select(['status', 'driver_id', 'status_history'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  const history = row.status_history as unknown as LockedShipment['history'];
  return { accountId, id, status: row.status as ShipmentStatus, driverId: row.driver_id, history };
}

export async function lockActiveSearch(tx: Tx, accountId: string, shipmentId: string): Promise<Search | null> {
  const row = await tx
    .selectFrom('driver_searches')
    .select(['id', 'state', 'step', 'round', 'wave'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row ? { ...row, accountId, shipmentId, state: row.state as Search['state'] } : null;
}

export async function startSearch(tx: Tx, accountId: string, shipmentId: string, now: Date): Promise<Search> {
  const id = randomUUIDv7();
  const state = 'searching';
  await tx
    .insertInto('driver_searches')
    .values({ id, account_id: accountId, shipment_id: shipmentId, state, started_at: now })
    .execute();
  return { id, accountId, shipmentId, state, step: 0, round: 1, wave: 0 };
}

/** Writes what a step led to, and sets the timer of the next one: older timers find the step changed and do nothing. */
export async function saveStep(
  tx: Tx,
  jobs: JobSender,
  search: Search,
  next: { state: Search['state']; wave: number; round: number; at: Date; spentAt?: Date },
): Promise<void> {
  const step = search.step + 1;
  await tx
    .updateTable('driver_searches')
    .set((eb) => ({
      state: next.state,
      wave: next.wave,
      round: next.round,
      step,
      ...(next.spentAt ? { spent_at: eb.fn.coalesce('spent_at', eb.val(next.spentAt)) } : {}),
    }))
    .where('id', '=', search.id)
    .execute();
  const { accountId, shipmentId, id: searchId } = search;
  const timer = { searchId, step };
  await jobs.send(tx, searchDriverJob, { accountId, shipmentId, timer }, { startAfter: next.at });
}

/** The search is over: what is still offered is withdrawn, and who was thinking about it is told. */
export async function endSearch(
  tx: Tx,
  jobs: JobSender,
  search: Search,
  { state, now, winner }: { state: 'assigned' | 'stopped'; now: Date; winner?: string },
): Promise<void> {
  await tx.updateTable('driver_searches').set({ state, ended_at: now }).where('id', '=', search.id).execute();
  if (winner) await answerOffers(tx, search, 'accepted', now, winner);
  const losers = await answerOffers(tx, search, 'withdrawn', now);
  await tellDrivers(tx, jobs, search, losers, 'offer-withdrawn');
}

/** Answers the open offers of a search, or one driver's; returns whose they were. */
export async function answerOffers(
  tx: Tx,
  { id }: Pick<Search, 'id'>,
  answer: 'accepted' | 'refused' | 'expired' | 'withdrawn',
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

export async function tellDrivers(
  tx: Tx,
  jobs: JobSender,
  { accountId, shipmentId }: { accountId: string; shipmentId: string },
  driverIds: string[],
  push: 'offer' | 'offer-withdrawn' | 'shipment-changed',
): Promise<void> {
  if (driverIds.length > 0) await jobs.send(tx, tellDriversJob, { accountId, shipmentId, driverIds, push });
}

export const secondsAfter = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1_000);
