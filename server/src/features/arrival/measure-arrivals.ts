import type { Arrival, Calibration } from './estimate-arrival.ts';

/** An estimate that was valid a quarter of an hour before the delivery, and when the delivery was. */
export interface Outcome {
  shown: Pick<Arrival, 'from' | 'until' | 'expected' | 'spread'>;
  deliveredAt: Date;
}

export interface ArrivalMeasure extends Calibration {
  measured: number;
  /** Deliveries inside the window. */
  inside: number;
  medianErrorMinutes: number | null;
  medianWidthMinutes: number | null;
}

/** How long before a delivery the estimate is judged. */
export const JUDGED_BEFORE_MS = 15 * 60_000;
/** On each side: 82 % are meant to fall inside the computed window, and rounding to five minutes adds some. */
const OUTSIDE_SHARE = 0.09;
const MINUTE_MS = 60_000;
const ASSUMED: Calibration = { early: -1.2, late: 1.6 };
const PRIOR_OUTCOMES = 60;

export function measureArrivals(outcomes: readonly Outcome[]): ArrivalMeasure {
  const minutes = (from: Date, to: Date) => (to.getTime() - from.getTime()) / MINUTE_MS;
  const errors = outcomes.map(({ shown, deliveredAt }) => minutes(shown.expected, deliveredAt));
  const scores = outcomes.map(({ shown }, i) => (errors[i] as number) / Math.max(shown.spread, 0.5)).sort(ascending);
  return {
    measured: outcomes.length,
    inside: outcomes.filter(({ shown, deliveredAt }) => shown.from <= deliveredAt && deliveredAt <= shown.until).length,
    medianErrorMinutes: quantile(errors.map(Math.abs).sort(ascending), 0.5),
    medianWidthMinutes: quantile(outcomes.map(({ shown }) => minutes(shown.from, shown.until)).sort(ascending), 0.5),
    early: Math.min(0, quantile(scores, OUTSIDE_SHARE) ?? ASSUMED.early),
    late: Math.max(0, quantile(scores, 1 - OUTSIDE_SHARE) ?? ASSUMED.late),
  };
}

/** From the measures of the last days; the assumption counts as much as sixty deliveries. */
export function calibrate(days: readonly (Calibration & { measured: number })[]): Calibration {
  const total = days.reduce((sum, { measured }) => sum + measured, PRIOR_OUTCOMES);
  const mean = (name: keyof Calibration) =>
    days.reduce((sum, day) => sum + day[name] * day.measured, ASSUMED[name] * PRIOR_OUTCOMES) / total;
  return { early: mean('early'), late: mean('late') };
}

const ascending = (a: number, b: number) => a - b;

function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}
