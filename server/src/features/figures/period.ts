import { LONGEST_PERIOD } from '@navette/contract';
import { daysFromTo, lastOfMonth, localDay, monthOf } from '../../calendar/local-calendar.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import type { Grain } from './write-figures.ts';

/** Local days, both included. */
export interface Period {
  from: string;
  to: string;
}

/** A stored row's part of a period. */
export interface Bucket {
  grain: Grain;
  start: string;
}

/** The period of a request. Without dates, today. */
export function requirePeriod(given: Partial<Period>, timeZone: string, now: Date): Period {
  const from = given.from ?? given.to ?? localDay(now, timeZone);
  const to = given.to ?? from;
  const days = daysFromTo(from, to).length;
  if (days === 0) throw wrongEnd('Doit être au plus tôt la date de début.');
  if (days > LONGEST_PERIOD) throw wrongEnd(`La période compte au plus ${LONGEST_PERIOD} jours.`);
  return { from, to };
}

const wrongEnd = (msg: string) => fieldErrors([{ type: 'field', msg, path: 'to', location: 'query' }]);

/** The whole months of a period, and its other days: at most 71 rows for each key. */
export function bucketsOf({ from, to }: Period): Bucket[] {
  const isWhole = (day: string) => monthOf(day) >= from && lastOfMonth(day) <= to;
  const buckets = daysFromTo(from, to).map(
    (day): Bucket => (isWhole(day) ? { grain: 'month', start: monthOf(day) } : { grain: 'day', start: day }),
  );
  return buckets.filter(({ start }, i) => start !== buckets[i - 1]?.start);
}
