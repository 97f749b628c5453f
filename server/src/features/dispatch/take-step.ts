import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { SearchStep } from '../../jobs/definitions.ts';
import type { Nearby } from '../drivers/index.ts';
import { evaluateCandidates } from './candidates.ts';
import { recordIfNew } from './decisions.ts';
import { closeOffers, endSearch, hasOpenOffers, notifyDrivers } from './end-search.ts';
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

/** Locks the shipment, then takes the search's next step, unless this job is out of date. */
export async function takeStep(
  tx: Tx,
  context: SearchContext,
  wanted: SearchStep,
  { place, geocoderFailed, near }: Surroundings,
  now: Date,
): Promise<void> {
  const { accountId, shipmentId } = wanted;
  const { jobs } = context;
  const shipment = await lockShipment(tx, accountId, shipmentId);
  if (!shipment) return;
  const active = await lockActiveSearch(tx, accountId, shipmentId);
  if (shipment.status !== 'created') return closeSearch(tx, jobs, shipment, active, now);
  if (active && !(await isDue(tx, active, wanted))) return;

  const search = active ?? (await beginSearch(tx, shipment, now));
  if (active) {
    const unanswered = await closeOffers(tx, active, 'expired', now);
    await notifyDrivers(tx, jobs, active, unanswered, 'offer-withdrawn');
  }

  if (!place) return waitForLocation(tx, context, search, geocoderFailed, now);
  await lockZonesForStep(tx);
  const zone = await findZoneOver(tx, search, now);
  if (zone) return holdSearch(tx, context, search, zone, now);
  if (!near) return waitForPositions(tx, context, search, now);
  const { drivers, completeToMetres } = near;
  const candidates = await evaluateCandidates(tx, search, drivers, context.config.dispatch.runsPerDriver, now);
  await startNextWave(tx, context, search, { candidates, completeToMetres }, now);
}

/** A timer is due in the step it was set for. A job without a timer is due unless offers are open or a retry is set. */
async function isDue(tx: Tx, search: Search, { timer }: SearchStep): Promise<boolean> {
  if (timer) return timer.searchId === search.id && timer.step === search.step;
  return search.state !== 'unassigned' && !(await hasOpenOffers(tx, search));
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
