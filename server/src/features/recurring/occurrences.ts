import { Temporal } from 'temporal-polyfill';
import { instantOf, localDate } from '../../calendar/local-calendar.ts';

/** Which days a recurring shipment has, and when its slot starts on them. All local. */
export interface Rule {
  /** 1 is Monday, 7 is Sunday. */
  weekdays: readonly number[];
  /** Minutes after midnight. */
  slotStart: number;
  /** Dates, YYYY-MM-DD, both included. */
  startsOn: string;
  endsOn: string | null;
}

export interface Occurrence {
  /** Its identity: a rule has at most one occurrence per local date. */
  day: string;
  startsAt: Date;
}

/**
 * The occurrences that start at `from` or later, in order, until the end of the rule. A start that the clock leaves out
 * moves forward with it; one that the clock shows twice is the first of both, as for any slot. A date that the zone leaves
 * out, as Samoa did in 2011, has no occurrence.
 */
function* occurrencesFrom(rule: Rule, from: Date, timeZone: string): Generator<Occurrence, undefined> {
  // A day earlier: where a zone moved its clock back over midnight, the date is later than that of a later instant.
  const first = localDate(from.toISOString(), timeZone).subtract({ days: 1 });
  const startsOn = Temporal.PlainDate.from(rule.startsOn);
  let date = Temporal.PlainDate.compare(first, startsOn) < 0 ? startsOn : first;
  for (; rule.endsOn === null || date.toString() <= rule.endsOn; date = date.add({ days: 1 })) {
    if (!rule.weekdays.includes(date.dayOfWeek) || !exists(date, timeZone)) continue;
    const startsAt = instantOf(date, rule.slotStart, timeZone);
    if (startsAt >= from) yield { day: date.toString(), startsAt };
  }
}

/** The first occurrences that start at `from` or later. */
export function nextOccurrences(rule: Rule, from: Date, count: number, timeZone: string): Occurrence[] {
  const found: Occurrence[] = [];
  for (const occurrence of occurrencesFrom(rule, from, timeZone)) {
    found.push(occurrence);
    if (found.length === count) break;
  }
  return found;
}

/** The occurrences that start at `from` or later, and before `to`. */
export function occurrencesBetween(rule: Rule, from: Date, to: Date, timeZone: string): Occurrence[] {
  const found: Occurrence[] = [];
  for (const occurrence of occurrencesFrom(rule, from, timeZone)) {
    if (occurrence.startsAt >= to) break;
    found.push(occurrence);
  }
  return found;
}

const exists = (date: Temporal.PlainDate, timeZone: string) =>
  date.toZonedDateTime(timeZone).toPlainDate().equals(date);
