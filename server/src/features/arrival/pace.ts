/** Settings of the arrival estimate: what is assumed until deliveries have taught better. */
export interface AssumedPace {
  /** Road distance divided by straight distance. */
  roadFactor: number;
  /** By local hour, 24 values. */
  kmPerHour: readonly number[];
  /** At a stop: parking, stairs, the code. */
  stopMinutes: number;
}

/** Weighted sums over legs, enough for a regression: minutes = stop + pace × km. */
export interface LegSums {
  legs: number;
  w: number;
  d: number;
  dd: number;
  t: number;
  dt: number;
  tt: number;
}

/** A way from one stop of a driver to the next one, with the time at the latter. */
export interface Leg {
  zone: string;
  hour: number;
  /** Straight distance. */
  km: number;
  minutes: number;
}

/** Learned legs by zone and hour; the zone `*` has all legs of the hour. */
export type LearnedLegs = ReadonlyMap<string, LegSums>;

export interface LegTime {
  minutes: number;
  /** Standard deviation. */
  spread: number;
}

interface Line {
  stop: number;
  perKm: number;
  /** Standard deviation as a share of the assumed duration. */
  share: number;
}

const ALL_ZONES = '*';
const ASSUMED_SHARE = 0.35;
const PRIOR_LEGS = 12; // a cell with as many legs counts as much as the cell above it
const PRIOR_KM = [0.8, 4] as const;
const SAME_PLACE_KM = 0.05;
const SAME_PLACE: LegTime = { minutes: 1.5, spread: 0.8 };

export const cellKey = (zone: string, hour: number) => `${zone} ${hour}`;

const assumedLine = ({ roadFactor, kmPerHour, stopMinutes }: AssumedPace, hour: number): Line => ({
  stop: stopMinutes,
  perKm: (60 * roadFactor) / (kmPerHour[hour] as number),
  share: ASSUMED_SHARE,
});

const minutesOn = ({ stop, perKm }: Line, km: number) => stop + perKm * km;

/** Minutes to a stop and at it. Knows the settings and what was learned until last night. */
export function legTime(assumed: AssumedPace, learned: LearnedLegs, zone: string, hour: number, km: number): LegTime {
  if (km < SAME_PLACE_KM) return SAME_PLACE;
  const base = assumedLine(assumed, hour);
  const ofHour = refine(base, base, learned.get(cellKey(ALL_ZONES, hour)));
  const line = refine(ofHour, base, learned.get(cellKey(zone, hour)));
  return { minutes: Math.max(1, minutesOn(line, km)), spread: line.share * minutesOn(base, km) };
}

/** The line through the legs of a cell, drawn towards the line above it while legs are few. */
function refine(above: Line, base: Line, sums: LegSums | undefined): Line {
  if (!sums || sums.legs <= 0) return above;
  const all = { ...sums };
  for (const km of PRIOR_KM) addLeg(all, km, minutesOn(above, km), base, PRIOR_LEGS / PRIOR_KM.length);
  const determinant = all.w * all.dd - all.d * all.d;
  const perKm = (all.w * all.dt - all.d * all.t) / determinant;
  const stop = (all.t - perKm * all.d) / all.w;
  if (!(perKm > 0 && stop > 0)) return above;
  const residual =
    all.tt - 2 * stop * all.t - 2 * perKm * all.dt + stop ** 2 * all.w + 2 * stop * perKm * all.d + perKm ** 2 * all.dd;
  const share = Math.sqrt((Math.max(0, residual) + PRIOR_LEGS * above.share ** 2) / all.legs);
  return { stop, perKm, share };
}

/** Legs weigh by the inverse square of their assumed duration: errors grow with it. */
function addLeg(sums: LegSums, km: number, minutes: number, base: Line, count = 1): void {
  const weight = count / minutesOn(base, km) ** 2;
  sums.legs += count;
  sums.w += weight;
  sums.d += weight * km;
  sums.dd += weight * km * km;
  sums.t += weight * minutes;
  sums.dt += weight * km * minutes;
  sums.tt += weight * minutes * minutes;
}

const noLegs = (): LegSums => ({ legs: 0, w: 0, d: 0, dd: 0, t: 0, dt: 0, tt: 0 });
const LONGEST = 4; // times the assumed duration: a break, an absent recipient, a phone without network

/** The sums of a day's legs, by cell. */
export function sumLegs(assumed: AssumedPace, legs: readonly Leg[]): Map<string, LegSums> {
  const cells = new Map<string, LegSums>();
  for (const { zone, hour, km, minutes } of legs) {
    const base = assumedLine(assumed, hour);
    if (km < SAME_PLACE_KM || minutes <= 0 || minutes > LONGEST * minutesOn(base, km)) continue;
    for (const key of [cellKey(ALL_ZONES, hour), cellKey(zone, hour)]) {
      const sums = cells.get(key) ?? noLegs();
      addLeg(sums, km, minutes, base);
      cells.set(key, sums);
    }
  }
  return cells;
}

const KEPT_PER_DAY = 0.93; // half of the weight is gone after ten days

/** Yesterday's sums count fully, older ones less each day. */
export function addDay(learned: LearnedLegs, day: ReadonlyMap<string, LegSums>): Map<string, LegSums> {
  const keys = new Set([...learned.keys(), ...day.keys()]);
  return new Map([...keys].map((key) => [key, combine(learned.get(key) ?? noLegs(), day.get(key) ?? noLegs())]));
}

function combine(old: LegSums, fresh: LegSums): LegSums {
  const sums = noLegs();
  for (const name of Object.keys(sums) as (keyof LegSums)[]) sums[name] = KEPT_PER_DAY * old[name] + fresh[name];
  return sums;
}
