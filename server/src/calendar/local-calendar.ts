import { MONTH_PATTERN } from '@navette/contract';
import { Temporal } from 'temporal-polyfill';

const MONTH = new RegExp(MONTH_PATTERN);

/** Such as 2030-05. */
export const isMonth = (text: string): boolean => MONTH.test(text);

/** The local date of a timestamp with an offset; text without an offset is local already. */
export function localDate(text: string, timeZone: string): Temporal.PlainDate {
  return hasOffset(text)
    ? Temporal.Instant.from(text).toZonedDateTimeISO(timeZone).toPlainDate()
    : Temporal.PlainDate.from(text.slice(0, 10));
}

/** The next instant with this local time (HH:MM). */
export function nextLocalTime(time: string, timeZone: string, now: Date): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const sameDay = instantOf(today, hour * 60 + minute, timeZone);
  return sameDay > now ? sameDay : instantOf(today.add({ days: 1 }), hour * 60 + minute, timeZone);
}

/** The local date of an instant, YYYY-MM-DD. */
export function localDay(instant: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();
}

/** The local hour of an instant, `00` to `23`. */
export function localHour(instant: Date, timeZone: string): string {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone);
  return String(hour).padStart(2, '0');
}

/** The first instant that a date filter includes: a bare date starts at local midnight. */
export function startOfDateFilter(text: string, timeZone: string): Date {
  return isBareDate(text) ? instantOf(localDate(text, timeZone), 0, timeZone) : instantNamed(text, timeZone);
}

/** The first instant after a date filter: a bare date includes its whole day, a timestamp only itself. */
export function endOfDateFilter(text: string, timeZone: string): Date {
  if (isBareDate(text)) return instantOf(localDate(text, timeZone).add({ days: 1 }), 0, timeZone);
  return new Date(instantNamed(text, timeZone).getTime() + 1);
}

/** The last `count` local days, today included, oldest first. */
export function lastDays(count: number, timeZone: string, now: Date): string[] {
  const today = Temporal.PlainDate.from(localDay(now, timeZone));
  return Array.from({ length: count }, (_, i) => today.subtract({ days: count - 1 - i }).toString());
}

/** The dates from one to another, both included. */
export function daysFromTo(from: string, to: string): string[] {
  const first = Temporal.PlainDate.from(from);
  const count = first.until(to, { largestUnit: 'days' }).days + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => first.add({ days: i }).toString());
}

/** The first day of a date's month. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;

/** The last day of a date's month. */
export function lastOfMonth(day: string): string {
  const date = Temporal.PlainDate.from(day);
  return date.with({ day: date.daysInMonth }).toString();
}

/** Months are written as 2026-11. */
export const monthAfter = (month: string): string => Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString();
export const monthBefore = (month: string): string =>
  Temporal.PlainYearMonth.from(month).subtract({ months: 1 }).toString();

/** The first instant of a month. */
export const startOfMonth = (month: string, timeZone: string): Date => startOfDateFilter(`${month}-01`, timeZone);

export const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

const isBareDate = (text: string) => text.length === 10;
const hasOffset = (text: string) => /[T ].*(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text);

function instantNamed(text: string, timeZone: string): Date {
  const { epochMilliseconds } = hasOffset(text)
    ? Temporal.Instant.from(text)
    : Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone);
  return new Date(epochMilliseconds);
}

export function instantOf(date: Temporal.PlainDate, minutes: number, timeZone: string): Date {
  const time = Temporal.PlainTime.from({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
  return new Date(date.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds);
}
