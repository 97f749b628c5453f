import type { PeriodFigures } from '@navette/contract';

/** The measures of a chart. Amounts are for those who may see money. */
export const MEASURES = [
  ...(['onTime', 'toDriver', 'toDoor', 'delivered', 'cancelled', 'incidents'] as const),
  ...(['chargedPerRun', 'payPerRun'] as const),
] as const;
export type Measure = (typeof MEASURES)[number];

export type Unit = 'share' | 'duration' | 'count' | 'euros';

export const UNITS: Record<Measure, Unit> = {
  onTime: 'share',
  toDriver: 'duration',
  toDoor: 'duration',
  delivered: 'count',
  cancelled: 'count',
  incidents: 'count',
  chargedPerRun: 'euros',
  payPerRun: 'euros',
};

export const isMoney = (measure: Measure): boolean => UNITS[measure] === 'euros';

interface Measured {
  /** Null where nothing was delivered. */
  value: number | null;
  /** The 95th percentile, where the value is the median. */
  upper: number | null;
}

export function measureFigures(measure: Measure, row: PeriodFigures): Measured {
  const { delivered, returned, cancelled, onTime, incidents, charged, pay } = row;
  if (measure === 'toDriver') return { value: row.toDriverP50, upper: row.toDriverP95 };
  if (measure === 'toDoor') return { value: row.toDoorP50, upper: row.toDoorP95 };
  const values: Record<Exclude<Measure, 'toDriver' | 'toDoor'>, number | null> = {
    ...{ delivered, cancelled, incidents },
    onTime: share(onTime, delivered),
    chargedPerRun: charged === null ? null : share(charged, delivered + returned),
    payPerRun: pay === null ? null : share(pay, delivered),
  };
  return { value: values[measure], upper: null };
}

/** A part of a whole; null without a whole. */
export const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);
