import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { SearchStep } from '../../jobs/definitions.ts';
import type { NearDriver } from '../drivers/index.ts';
import { judgeCandidates } from './candidates.ts';
import { recordDecision, recordNews } from './decisions.ts';
import { goOn, type Stepping } from './next-wave.ts';
import {
  answerOffers,
  endSearch,
  hasOpenOffers,
  type LockedShipment,
  lockActiveSearch,
  lockShipment,
  type Search,
  saveStep,
  secondsAfter,
  startSearch,
  tellDrivers,
} from './searches.ts';

const POSITIONS_AGAIN_SECONDS = 5; // Redis restarts in less

interface Surroundings {
  /** Where the parcel is; null when that is unknown. */
  place: object | null;
  /** The geocoder could not be asked, so nobody knows whether it knows. */
  geocoderAway: boolean;
  /** Who is near it; null when that is unknown. */
  near: NearDriver[] | null;
}

/** Under the shipment's lock: what the search does next, if it is its turn. */
export async function takeStep(
  tx: Tx,
  stepping: Stepping,
  wanted: SearchStep,
  { place, geocoderAway, near }: Surroundings,
  now: Date,
): Promise<void> {
  const { accountId, shipmentId } = wanted;
  const { jobs } = stepping;
  const shipment = await lockShipment(tx, accountId, shipmentId);
  if (!shipment) return;
  const active = await lockActiveSearch(tx, accountId, shipmentId);
  if (shipment.status !== 'created') return close(tx, jobs, shipment, active, now);
  if (active && !(await isItsTurn(tx, active, wanted))) return;

  const search = active ?? (await begin(tx, shipment, now));
  const silent = await answerOffers(tx, search, 'expired', now);
  await tellDrivers(tx, jobs, search, silent, 'offer-withdrawn');

  if (!place) return waitForLocation(tx, stepping, search, geocoderAway, now);
  if (!near) return waitForPositions(tx, stepping, search, now);
  const candidates = await judgeCandidates(tx, search, near, stepping.config.dispatch.runsPerDriver, now);
  await goOn(tx, stepping, search, candidates, now);
}

/** A timer's turn is the step it was set for. Who just asks is heard when nobody is thinking and no retry is waiting. */
async function isItsTurn(tx: Tx, search: Search, { timer }: SearchStep): Promise<boolean> {
  if (timer) return timer.searchId === search.id && timer.step === search.step;
  return search.state !== 'unassigned' && !(await hasOpenOffers(tx, search));
}

async function begin(tx: Tx, { accountId, id, history }: LockedShipment, now: Date): Promise<Search> {
  const before = history.at(-2)?.status;
  const cause = before === 'programmed' ? 'its time had come' : before ? 'it was given back' : 'it is express';
  const search = await startSearch(tx, accountId, id, now);
  const { shipmentId } = search;
  await recordDecision(tx, {
    accountId,
    shipmentId,
    searchId: search.id,
    kind: 'started',
    at: now,
    details: { cause },
  });
  return search;
}

/** The shipment needs no driver any more. Who has it learns of a cancellation here. */
async function close(tx: Tx, jobs: JobSender, shipment: LockedShipment, search: Search | null, now: Date) {
  const { accountId, id: shipmentId, status, driverId } = shipment;
  if (search) {
    await endSearch(tx, jobs, search, { state: 'stopped', now });
    const details = { status };
    await recordDecision(tx, { accountId, shipmentId, searchId: search.id, kind: 'stopped', at: now, details });
  }
  if (status === 'cancelled' && driverId) {
    await tellDrivers(tx, jobs, { accountId, shipmentId }, [driverId], 'shipment-changed');
  }
}

async function waitForLocation(
  tx: Tx,
  { jobs, config }: Stepping,
  search: Search,
  geocoderAway: boolean,
  now: Date,
): Promise<void> {
  const kind = geocoderAway ? 'geocoder away' : 'needs location';
  const { accountId, shipmentId, id, wave, round } = search;
  await recordNews(tx, { accountId, shipmentId, searchId: id, kind, at: now });
  await saveStep(tx, jobs, search, {
    state: 'needs_location',
    wave,
    round,
    at: secondsAfter(now, config.dispatch.retrySeconds),
  });
}

async function waitForPositions(tx: Tx, { jobs }: Stepping, search: Search, now: Date): Promise<void> {
  const { accountId, shipmentId, id, wave, round } = search;
  await recordNews(tx, { accountId, shipmentId, searchId: id, kind: 'positions unknown', at: now });
  await saveStep(tx, jobs, search, { state: 'searching', wave, round, at: secondsAfter(now, POSITIONS_AGAIN_SECONDS) });
}
