export interface Place {
  latitude: number;
  longitude: number;
}

export interface Stop {
  id: string;
  shipmentId: string;
  kind: 'pickup' | 'delivery';
  /** Null when the address was not located: the stop keeps its turn but adds no distance. */
  at: Place | null;
  /** Time slot, in ms of the server's clock. */
  window: { from: number; until: number } | null;
}

const KM_PER_HOUR = 15; // a bicycle in town, with stops at lights
const STOP_MS = 4 * 60_000; // finding the bell, the stairs, the code
const LATE_KM_PER_MINUTE = 2; // a minute late weighs as much as a detour of 2 km: slots come before distance
const EARLY_KM_PER_MINUTE = 0.05; // for every stop that waits: a parcel of now comes before one of this evening
const HOUR_MS = 3_600_000;

/**
 * Suggests an order: nearest insertion. The stop nearest to the route so far is inserted where it costs least; cost is
 * distance plus lateness. A parcel is picked up before it is delivered. Pure: time and place are arguments.
 */
export function suggestOrder(stops: readonly Stop[], start: Place | null, now: number): Stop[] {
  // Sorted, so that the result does not depend on the order in which the server lists runs.
  const open = stops.toSorted((a, b) => byWindow(a, b) || a.id.localeCompare(b.id));
  let route: Stop[] = [];
  while (open.length > 0) {
    const eligible = open.filter((stop) => isPickedUpBefore(stop, open));
    const nearest = eligible.reduce((best, stop) =>
      distanceToRoute(stop, route, start) < distanceToRoute(best, route, start) ? stop : best,
    );
    open.splice(open.indexOf(nearest), 1);
    route = insertCheaply(route, nearest, start, now);
  }
  return route;
}

/** Keeps the driver's own order. Stops that are new since then are inserted where they cost least. */
export function keepOrder(
  suggested: readonly Stop[],
  chosen: readonly string[],
  start: Place | null,
  now: number,
): Stop[] {
  const known = chosen.flatMap((id) => suggested.filter((stop) => stop.id === id));
  return suggested
    .filter(({ id }) => !chosen.includes(id))
    .reduce((route, stop) => insertCheaply(route, stop, start, now), known);
}

/** Moves a stop up (-1) or down (1). Null when the parcel would be delivered before its pickup, or at the end. */
export function moveStop(route: readonly Stop[], id: string, by: -1 | 1): Stop[] | null {
  const at = route.findIndex((stop) => stop.id === id);
  const [stop, other] = [route[at], route[at + by]];
  if (!stop || !other || stop.shipmentId === other.shipmentId) return null;
  return route.with(at, other).with(at + by, stop);
}

function insertCheaply(route: readonly Stop[], stop: Stop, start: Place | null, now: number): Stop[] {
  const earliest = route.findIndex(({ shipmentId, kind }) => shipmentId === stop.shipmentId && kind === 'pickup') + 1;
  const own = route.findIndex(({ shipmentId, kind }) => shipmentId === stop.shipmentId && kind === 'delivery');
  const latest = own === -1 ? route.length : own;
  let best: { route: Stop[]; cost: number } | null = null;
  for (let at = earliest; at <= latest; at++) {
    const tried = route.toSpliced(at, 0, stop);
    const cost = costOf(tried, start, now);
    if (!best || cost < best.cost) best = { route: tried, cost };
  }
  return best?.route ?? [...route, stop];
}

function costOf(route: readonly Stop[], start: Place | null, now: number): number {
  let [cost, time, here] = [0, now, start];
  for (const [i, { at, window }] of route.entries()) {
    const km = here && at ? distanceKm(here, at) : 0;
    time += (km / KM_PER_HOUR) * HOUR_MS;
    cost += km;
    if (window) {
      cost += (Math.max(0, time - window.until) / 60_000) * LATE_KM_PER_MINUTE;
      cost += (Math.max(0, window.from - time) / 60_000) * EARLY_KM_PER_MINUTE * (route.length - i);
      time = Math.max(time, window.from);
    }
    time += STOP_MS;
    here = at ?? here;
  }
  return cost;
}

function distanceToRoute({ at }: Stop, route: readonly Stop[], start: Place | null): number {
  const places = [start, ...route.map((stop) => stop.at)].filter((place) => place !== null);
  return at === null || places.length === 0 ? 0 : Math.min(...places.map((place) => distanceKm(place, at)));
}

const isPickedUpBefore = (stop: Stop, open: readonly Stop[]) =>
  stop.kind === 'pickup' || !open.some(({ kind, shipmentId }) => kind === 'pickup' && shipmentId === stop.shipmentId);

const byWindow = (a: Stop, b: Stop) => (a.window?.from ?? 0) - (b.window?.from ?? 0);

const RADIANS = Math.PI / 180;
const EARTH_KM = 6_371;

/** Straight line. */
export function distanceKm(a: Place, b: Place): number {
  const [lat, lon] = [(b.latitude - a.latitude) * RADIANS, (b.longitude - a.longitude) * RADIANS];
  const h =
    Math.sin(lat / 2) ** 2 + Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * Math.sin(lon / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.sqrt(h));
}
