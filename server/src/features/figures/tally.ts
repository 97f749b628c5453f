import { localDay, localHour } from '../../calendar/local-calendar.ts';
import { addCounts, type Counts } from './histogram.ts';

/** `all`: the whole company. */
export type Dimension = 'all' | 'hour' | 'zone' | 'merchant' | 'driver';

/** Numbers that are added to each other; times and incidents by label. */
export interface Figures {
  delivered: number;
  onTime: number;
  returned: number;
  cancelled: number;
  chargedCents: number;
  payCents: number;
  wait: Counts;
  door: Counts;
  incidents: Counts;
}

/** The figures that one run or incident adds, and the rows to which it adds them. */
export interface Fact {
  at: Date;
  zone: string;
  accountId: string;
  driverId: string | null;
  figures: Partial<Figures>;
}

/** One row of a day. */
export interface DayRow extends Figures {
  dimension: Dimension;
  day: string;
  key: string;
}

export const noFigures = (): Figures => ({
  ...{ delivered: 0, onTime: 0, returned: 0, cancelled: 0, chargedCents: 0, payCents: 0 },
  ...{ wait: {}, door: {}, incidents: {} },
});

export function addFigures(sum: Figures, more: Partial<Figures>): void {
  for (const field of ['delivered', 'onTime', 'returned', 'cancelled', 'chargedCents', 'payCents'] as const)
    sum[field] += more[field] ?? 0;
  for (const field of ['wait', 'door', 'incidents'] as const) addCounts(sum[field], more[field] ?? {});
}

/** Facts summed up by day and dimension. The order in which they are added does not matter. */
export class Tally {
  readonly #rows = new Map<string, DayRow>();
  readonly #timeZone: string;

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** Rows in the order of their keys. */
  rows(): DayRow[] {
    return [...this.#rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }

  addFact({ at, zone, accountId, driverId, figures }: Fact): void {
    const day = localDay(at, this.#timeZone);
    this.add({ dimension: 'all', day, key: '' }, figures);
    this.add({ dimension: 'hour', day, key: localHour(at, this.#timeZone) }, figures);
    this.add({ dimension: 'zone', day, key: zone }, figures);
    this.add({ dimension: 'merchant', day, key: accountId }, figures);
    if (driverId) this.add({ dimension: 'driver', day, key: driverId }, figures);
  }

  add({ dimension, day, key }: Pick<DayRow, 'dimension' | 'day' | 'key'>, figures: Partial<Figures>): void {
    const name = `${dimension} ${day} ${key}`;
    const row = this.#rows.get(name) ?? { dimension, day, key, ...noFigures() };
    this.#rows.set(name, row);
    addFigures(row, figures);
  }
}
