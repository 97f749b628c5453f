import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { notifyDriversJob, type SearchStep } from '../../jobs/definitions.ts';
import type { Nearby } from '../drivers/index.ts';
import { evaluateCandidates } from './candidates.ts';
import { recordIfNew } from './decisions.ts';
import { closeOffers, endSearch, listAsked, notifyDrivers } from './end-search.ts';
import { holdSearch } from './hold-search.ts';
import { type SearchContext, startNextWave } from './next-wave.ts';
import {
  type LockedShipment,
  lockActiveSearch,
  lockShipment,
  type Search,
  saveStep,
  secondsAfter,
  startSearch,
} from './searches.ts';
import { findZoneOver, lockZonesForStep } from './zones.ts';

const POSITIONS_RETRY_SECONDS = 5; // Redis restarts in less

/** Read before the transaction. */
interface Surroundings {
  /** The pickup's coordinates; null when unknown. */
  place: object | null;
  /** The geocoder did not respond, so the coordinates may exist. */
  geocoderFailed: boolean;
  /** The drivers near the pickup; null when unknown. */
  near: Nearby | null;
}

/**
 * Locks the shipment, then takes the search's next step, unless this job is out of date. Returns the drivers whose open
 * offers the caller pushes after the commit. A caller that died before the push runs again, and gets them again. This
 * holds for a search that runs now; the step of a timer has passed by then, so a timer enqueues the pushes.
 */
export async function takeStep(
  tx: Tx,
  context: SearchContext,
  wanted: SearchStep,
  surroundings: Surroundings,
  now: Date,
): Promise<string[]> {
  const { accountId, shipmentId, timer } = wanted;
  const { jobs } = context;
  const shipment = await lockShipment(tx, accountId, shipmentId);
  if (!shipment) return [];
  const active = await lockActiveSearch(tx, accountId, shipmentId);
  if (shipment.status !== 'created') {
    await closeSearch(tx, jobs, shipment, active, now);
    return [];
  }
  if (active && timer && !isSetFor(timer, active)) return [];
  if (active && !timer) {
    const asked = await listAsked(tx, active);
    if (asked.length > 0 || active.state === 'unassigned') return asked; // a retry is set
  }

  const search = active ?? (await beginSearch(tx, shipment, now));
  if (active) {
    const unanswered = await closeOffers(tx, active, 'expired', now);
    await notifyDrivers(tx, jobs, active, unanswered, 'offer-withdrawn');
  }

  const asked = await searchOn(tx, context, search, surroundings, now);
  if (!timer) return asked;
  if (asked.length > 0) {
    await jobs.send(tx, notifyDriversJob, { accountId, shipmentId, driverIds: asked, push: 'offer' });
  }
  return [];
}

/** A timer is due in the step it was set for. */
const isSetFor = (timer: NonNullable<SearchStep['timer']>, { id, step }: Search) =>
  timer.searchId === id && timer.step === step;

async function searchOn(
  tx: Tx,
  context: SearchContext,
  search: Search,
  { place, geocoderFailed, near }: Surroundings,
  now: Date,
): Promise<string[]> {
  if (!place) {
    await waitForLocation(tx, context, search, geocoderFailed, now);
    return [];
  }
  await lockZonesForStep(tx);
  const zone = await findZoneOver(tx, search, now);
  if (zone) {
    await holdSearch(tx, context, search, zone, now);
    return [];
  }
  if (!near) {
    await waitForPositions(tx, context, search, now);
    return [];
  }
  const { drivers, completeToMetres } = near;
  const candidates = await evaluateCandidates(tx, search, drivers, context.config.dispatch.runsPerDriver, now);
  return startNextWave(tx, context, search, { candidates, completeToMetres }, now);
}

async function beginSearch(tx: Tx, { accountId, id, history }: LockedShipment, now: Date): Promise<Search> {
  const before = history.at(-2)?.status;
  const cause = before === 'programmed' ? 'its time had come' : before ? 'it was given back' : 'it is express';
  return startSearch(tx, accountId, id, cause, now);
}

/** Ends the search of a shipment that needs no driver any more. Notifies the driver of a cancelled run. */
async function closeSearch(tx: Tx, jobs: JobSender, shipment: LockedShipment, search: Search | null, now: Date) {
  const { accountId, id: shipmentId, status, driverId } = shipment;
  if (search) await endSearch(tx, jobs, search, { state: 'stopped', now, details: { status } });
  if (status === 'cancelled' && driverId) {
    await notifyDrivers(tx, jobs, { accountId, shipmentId }, [driverId], 'shipment-changed');
  }
}

async function waitForLocation(
  tx: Tx,
  context: SearchContext,
  search: Search,
  geocoderFailed: boolean,
  now: Date,
): Promise<void> {
  const kind = geocoderFailed ? 'geocoder away' : 'needs location';
  const { accountId, shipmentId, id, wave, round } = search;
  await recordIfNew(tx, { accountId, shipmentId, searchId: id, kind, at: now });
  await saveStep(tx, context, search, {
    state: 'needs_location',
    wave,
    round,
    at: secondsAfter(now, context.config.dispatch.retrySeconds),
  });
}

async function waitForPositions(tx: Tx, context: SearchContext, search: Search, now: Date): Promise<void> {
  const { accountId, shipmentId, id, wave, round } = search;
  await recordIfNew(tx, { accountId, shipmentId, searchId: id, kind: 'positions unknown', at: now });
  await saveStep(tx, context, search, {
    state: 'searching',
    wave,
    round,
    at: secondsAfter(now, POSITIONS_RETRY_SECONDS),
  });
}
