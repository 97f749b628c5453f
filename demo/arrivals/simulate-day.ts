import { type Stop, suggestOrder } from '@navette/contract/driver-stop-order';
import {
  type Arrival,
  type ArrivalKnowledge,
  type DeliveredRun,
  estimateArrivals,
  JUDGED_BEFORE_MS,
  type Outcome,
} from '../../server/src/features/arrival/index.ts';
import { distanceKm } from '../../server/src/geography/distance-km.ts';
import { type Chance, createChance } from '../day/chance.ts';
import { type Place, somewhereInParis, strideTowards } from '../day/paris.ts';
import { type Fate, type PlannedShipment, planDay } from '../day/plan.ts';

export interface SimulatedDay {
  outcomes: Outcome[];
  delivered: DeliveredRun[];
}

export interface DayOptions {
  /** Of the town: streets, traffic by hour and quarter. The same on every day. */
  town: number;
  seed: number;
  shipments: number;
  drivers: number;
}

const MINUTE_MS = 60_000;
const OPEN_AT = 9 * 60;
const LAST_ORDER_AT = 19 * 60;
const CLOSED_AT = 23 * 60;
const RUNS_PER_DRIVER = 3;
const SHOPS = 6;
const OWN_ORDER = 0.15; // of the stops: the driver goes to another one than the app suggests

/** The true speed of this town by local hour, which no estimate may know. */
const TRUE_KM_PER_HOUR = [
  22, 22, 22, 22, 22, 22, 20, 17, 13, 14, 17, 17, 15, 16, 18, 18, 15, 12, 12, 15, 18, 20, 22, 22,
];
const TRUE_ROAD_FACTOR = 1.42;

interface Run extends DeliveredRun {
  id: string;
  fate: Fate;
  zone: string;
  slot: { from: number; until: number } | null;
  isPickedUp: boolean;
  hasIncidentUntil: number;
  /** Every estimate that was shown, with its time. */
  shown: { at: number; arrival: Arrival }[];
}

interface Driver {
  id: string;
  place: Place;
  runs: Run[];
  /** The stop under way: when the driver leaves for it, arrives and is done. */
  going: { stop: Stop; from: Place; leftAt: number; arrivesAt: number; doneAt: number } | null;
}

/** Five quarters of a town by eye: north, east, south, west, centre. */
function zoneOf({ latitude, longitude }: Place): string {
  const [north, east] = [(latitude - 48.8606) * 111, (longitude - 2.3376) * 73];
  if (Math.hypot(north, east) < 1.6) return '75001';
  if (Math.abs(north) > Math.abs(east)) return north > 0 ? '75018' : '75014';
  return east > 0 ? '75011' : '75016';
}

/**
 * A demo day on a clock of its own, minute by minute: the plan of `npm run demo:day`, and drivers who need real minutes. The
 * estimate gets what the server has: positions, steps, slots and what earlier days have taught.
 */
export function simulateDay(
  { town, seed, shipments, drivers: fleet }: DayOptions,
  knowledge: ArrivalKnowledge,
): SimulatedDay {
  const [chance, fixed] = [createChance(seed), createChance(town)];
  const quarter = new Map(['75001', '75018', '75014', '75011', '75016'].map((zone) => [zone, fixed.between(0.8, 1.3)]));
  const shops = Array.from({ length: SHOPS }, () => somewhereInParis(fixed));
  const weather = Math.exp(0.07 * normal(chance));
  const midnight = Date.UTC(2026, 10, 16) + seed * 86_400_000;
  const at = (minute: number) => midnight + minute * MINUTE_MS;

  const openMs = LAST_ORDER_AT - OPEN_AT;
  const plan = planDay(chance, shipments, SHOPS, { openMs, earlyMs: openMs / 2, hasAgreedTime: false });
  const waiting = plan.filter(isDelivered).map((planned) => toRun(planned, shops, chance, at));
  const drivers = Array.from({ length: fleet }, (_, i): Driver => {
    return { id: `driver ${i}`, place: somewhereInParis(chance), runs: [], going: null };
  });
  const day: SimulatedDay = { outcomes: [], delivered: [] };

  for (let minute = OPEN_AT; minute < CLOSED_AT; minute++) {
    const now = at(minute);
    for (const run of waiting.filter(({ dueAt }) => dueAt <= now))
      if (assign(run, drivers)) waiting.splice(waiting.indexOf(run), 1);
    for (const driver of drivers) move(driver, now);
  }
  return day;

  function move(driver: Driver, now: number): void {
    const { going } = driver;
    if (going && going.doneAt <= now) finish(driver, going.stop, going.doneAt);
    if (!driver.going) setOff(driver, now);
    if (driver.going) {
      const { from, leftAt, arrivesAt, stop } = driver.going;
      const share = Math.min(1, (now - leftAt) / Math.max(1, arrivesAt - leftAt));
      driver.place = strideTowards(from, stop.at as Place, distanceKm(from, stop.at as Place) * share);
    }
    const known = driver.runs.map((run) => ({
      ...run,
      pickupZone: zoneOf(run.pickup as Place),
      hasIncident: run.hasIncidentUntil > now,
    }));
    const arrivals = estimateArrivals(known, { place: driver.place, at: now }, knowledge, now);
    for (const run of driver.runs) {
      const arrival = arrivals.get(run.id);
      if (arrival) run.shown.push({ at: now, arrival });
    }
  }

  function setOff(driver: Driver, now: number): void {
    const open = driver.runs.filter(({ hasIncidentUntil }) => hasIncidentUntil <= now);
    const stops = open.flatMap((run): Stop[] => {
      const stop = (kind: Stop['kind'], place: Place | null, window: Stop['window']) => ({
        ...{ id: `${kind} ${run.id}`, shipmentId: run.id, kind, at: place, window },
      });
      const last = stop('delivery', run.delivery, run.slot);
      return run.isPickedUp ? [last] : [stop('pickup', run.pickup, null), last];
    });
    const route = suggestOrder(stops, driver.place, now);
    const second = route[1];
    const mayGoThere = second && (second.kind === 'pickup' || second.shipmentId !== route[0]?.shipmentId);
    const stop = mayGoThere && chance.isLuck(OWN_ORDER) ? second : route[0];
    if (!stop?.at) return;
    const km = distanceKm(driver.place, stop.at);
    const hour = knowledge.hourOf(now);
    const pace = (60 * TRUE_ROAD_FACTOR) / (TRUE_KM_PER_HOUR[hour] as number);
    const slow = (quarter.get(zoneOf(stop.at)) ?? 1) * weather * Math.exp(0.2 * normal(chance));
    const arrivesAt = now + km * pace * slow * MINUTE_MS;
    const { fate } = open.find(({ id }) => id === stop.shipmentId) as Run;
    const opensAt = Math.max(arrivesAt, stop.kind === 'delivery' ? (stop.window?.from ?? 0) : 0);
    driver.going = {
      stop,
      from: driver.place,
      leftAt: now,
      arrivesAt,
      doneAt: opensAt + minutesAt(stop, fate) * MINUTE_MS,
    };
  }

  function minutesAt({ kind }: Stop, fate: Fate): number {
    if (kind === 'pickup') return 3.5 * Math.exp(0.4 * normal(chance)) + (chance.isLuck(0.1) ? 7 : 0);
    const wrongCodes = fate === 'wrong-code' ? 1.5 : fate === 'locked' ? 6 : 0;
    return 3.2 * Math.exp(0.4 * normal(chance)) + wrongCodes;
  }

  function finish(driver: Driver, stop: Stop, doneAt: number): void {
    driver.going = null;
    driver.place = stop.at as Place;
    const run = driver.runs.find(({ id }) => id === stop.shipmentId) as Run;
    if (stop.kind === 'pickup') {
      const leaves = run.fate === 'abandoned' || run.fate === 'reassigned';
      if (leaves) {
        driver.runs.splice(driver.runs.indexOf(run), 1);
        waiting.push({ ...run, fate: 'plain', dueAt: doneAt, shown: [] });
        return;
      }
      Object.assign(run, { isPickedUp: true, pickedUpAt: new Date(doneAt) });
      return;
    }
    if (run.fate === 'absent') {
      Object.assign(run, { fate: 'plain', hasIncidentUntil: doneAt + 12 * MINUTE_MS });
      return;
    }
    driver.runs.splice(driver.runs.indexOf(run), 1);
    const deliveredAt = new Date(doneAt);
    day.delivered.push({ ...run, driverId: driver.id, deliveredAt });
    const shown = run.shown.findLast((one) => one.at <= doneAt - JUDGED_BEFORE_MS)?.arrival;
    if (shown) day.outcomes.push({ shown, deliveredAt });
  }
}

interface WaitingRun extends Run {
  dueAt: number;
}

const isDelivered = ({ fate }: PlannedShipment) =>
  !fate.startsWith('cancelled') && fate !== 'far' && fate !== 'unlocated';

function toRun(planned: PlannedShipment, shops: Place[], chance: Chance, at: (minute: number) => number): WaitingRun {
  const ordered = OPEN_AT + planned.atMs;
  const start = Math.ceil((ordered + 70) / 60) * 60;
  const slot = planned.mode === 'express' ? null : { from: at(start), until: at(start + 120) };
  return {
    ...{ id: String(planned.number), driverId: '', fate: planned.fate, zone: zoneOf(planned.to), slot },
    ...{ isPickedUp: false, hasIncidentUntil: 0, shown: [], pickedUpAt: new Date(0), deliveredAt: new Date(0) },
    ...{ pickup: planned.from ?? (shops[planned.merchant] as Place), delivery: planned.to },
    dueAt: (slot ? slot.from - 60 * MINUTE_MS : at(ordered)) + chance.between(0.5, 3) * MINUTE_MS,
  };
}

function assign(run: WaitingRun, drivers: Driver[]): boolean {
  const pickup = run.pickup as Place;
  const free = drivers.filter(({ runs }) => runs.length < RUNS_PER_DRIVER);
  const [nearest] = free.sort((a, b) => distanceKm(a.place, pickup) - distanceKm(b.place, pickup));
  nearest?.runs.push(run);
  return nearest !== undefined;
}

function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next());
}
