import { type Place, type Stop, suggestOrder } from '@navette/contract/driver-stop-order';
import { distanceKm } from '../../geography/distance-km.ts';
import { type AssumedPace, type LearnedLegs, legTime } from './pace.ts';

/** A shipment that a driver has accepted and not delivered. */
export interface ExpectedRun {
  id: string;
  isPickedUp: boolean;
  pickup: Place | null;
  delivery: Place | null;
  pickupZone: string;
  zone: string;
  /** In milliseconds. */
  slot: { from: number; until: number } | null;
  /** The driver waits for a decision of the operator. */
  hasIncident: boolean;
}

/** How far deliveries fell from the expected time, in standard deviations: most were between these. */
export interface Calibration {
  early: number;
  late: number;
}

export interface ArrivalKnowledge {
  assumed: AssumedPace;
  learned: LearnedLegs;
  calibration: Calibration;
  /** The local hour of an instant, 0 to 23. */
  hourOf: (at: number) => number;
}

export interface Arrival {
  /** Shown to people: on five minutes. */
  from: Date;
  until: Date;
  /** The most likely instant, and its standard deviation in minutes: the error is measured against them. */
  expected: Date;
  spread: number;
  /** Stops of the driver before it: pickups and deliveries. */
  stopsBefore: number;
}

const MINUTE_MS = 60_000;
const SHOWN_MS = 5 * MINUTE_MS;
const LEAST_EARLY_MINUTES = 3;
const LEAST_LATE_MINUTES = 4;
const SHARED_SHARE = 0.5; // of each leg's spread goes with that of the others: traffic, weather, the driver

/**
 * When a driver will hand over each parcel, as a window. Pure: place, time and knowledge are arguments. The stops are
 * visited in the order that the driver's app suggests. Without a place of the driver or of a stop on the way, the parcels
 * from there on have no estimate.
 */
export function estimateArrivals(
  runs: readonly ExpectedRun[],
  start: { place: Place; at: number } | null,
  knowledge: ArrivalKnowledge,
  now: number,
): Map<string, Arrival> {
  const arrivals = new Map<string, Arrival>();
  if (!start) return arrivals;
  const moving = runs.filter(({ hasIncident }) => !hasIncident);
  const byId = new Map(moving.map((run) => [run.id, run]));
  const route = suggestOrder(moving.flatMap(stopsOf), start.place, now);
  let [place, at, shared, own] = [start.place, start.at, 0, 0];
  for (const [i, stop] of route.entries()) {
    const run = byId.get(stop.shipmentId);
    if (!run || !stop.at) break;
    const zone = stop.kind === 'pickup' ? run.pickupZone : run.zone;
    const { assumed, learned, hourOf } = knowledge;
    const leg = legTime(assumed, learned, zone, hourOf(at), distanceKm(place, stop.at));
    at += leg.minutes * MINUTE_MS;
    shared += leg.spread * SHARED_SHARE;
    own += leg.spread ** 2 * (1 - SHARED_SHARE ** 2);
    if (stop.window) at = Math.max(at, stop.window.from);
    place = stop.at;
    if (stop.kind === 'delivery')
      arrivals.set(run.id, toWindow(at, Math.sqrt(shared ** 2 + own), i, stop, knowledge, now));
  }
  return arrivals;
}

function stopsOf({ id, isPickedUp, pickup, delivery, slot }: ExpectedRun): Stop[] {
  const stop = (kind: Stop['kind'], at: Place | null, window: Stop['window']): Stop => ({
    ...{ id: `${kind} ${id}`, shipmentId: id, kind, at, window },
  });
  const last = stop('delivery', delivery, slot);
  return isPickedUp ? [last] : [stop('pickup', pickup, null), last];
}

/** On five minutes, outwards. Never in the past, and not before the slot. */
function toWindow(
  expected: number,
  spread: number,
  stopsBefore: number,
  { window }: Stop,
  { calibration }: ArrivalKnowledge,
  now: number,
): Arrival {
  const early = Math.max(LEAST_EARLY_MINUTES, -calibration.early * spread) * MINUTE_MS;
  const late = Math.max(LEAST_LATE_MINUTES, calibration.late * spread) * MINUTE_MS;
  const earliest = Math.max(expected - early, now, window?.from ?? 0);
  const from = Math.floor(earliest / SHOWN_MS) * SHOWN_MS;
  const until = Math.max(Math.ceil((expected + late) / SHOWN_MS), Math.floor(now / SHOWN_MS) + 1) * SHOWN_MS;
  return {
    from: new Date(from),
    until: new Date(Math.max(until, from + SHOWN_MS)),
    ...{ expected: new Date(expected), spread, stopsBefore },
  };
}
