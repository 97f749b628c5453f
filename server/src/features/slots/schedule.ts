import type { DashboardErrorSlug } from '@navette/contract';
import { Temporal } from 'temporal-polyfill';
import { formatSlot, parseSlot, type SlotHours } from './time-slot.ts';

export interface AccountSlot extends SlotHours {
  id: string;
  label: string;
}

export interface Schedule {
  /** Local date, YYYY-MM-DD. */
  date: string;
  /** The account slot's label, or free text in its normal form. */
  label: string;
  slotId: string | null;
  hours: SlotHours;
  weekend: boolean;
  startsAt: Date;
  endsAt: Date;
}

export type ScheduleOutcome =
  | { kind: 'express' }
  | { kind: 'scheduled'; schedule: Schedule }
  | { kind: 'refused'; message: string; slug: SlotSlug };

type SlotSlug = Extract<DashboardErrorSlug, 'DATE_WITHOUT_SLOT' | 'SLOT_WITHOUT_DATE' | 'UNKNOWN_SLOT' | 'SLOT_PASSED'>;

interface Asked {
  scheduledDate?: string;
  timeSlot?: string;
}

/**
 * What the two scheduling fields of a request mean: nothing (express), a slot, or a refusal in words.
 * Hours are local; on the day of a clock change a start that does not exist moves forward with the clock.
 */
export function resolveSchedule(
  asked: Asked,
  slots: readonly AccountSlot[],
  timeZone: string,
  now: Date,
): ScheduleOutcome {
  const { scheduledDate, timeSlot } = asked;
  if (scheduledDate === undefined && timeSlot === undefined) return { kind: 'express' };
  if (timeSlot === undefined)
    return refused('DATE_WITHOUT_SLOT', 'Une date est donnée sans créneau : ajoutez timeSlot.');
  if (scheduledDate === undefined)
    return refused('SLOT_WITHOUT_DATE', 'Un créneau est donné sans date : ajoutez scheduledDate.');

  const slot = findSlot(timeSlot, slots);
  if (!slot)
    return refused(
      'UNKNOWN_SLOT',
      'Créneau non reconnu : donnez un créneau du compte, ou par exemple 14h-16h ou 14:00-16:00.',
    );

  const date = localDate(scheduledDate, timeZone);
  const startsAt = instantOf(date, slot.hours.start, timeZone);
  if (startsAt < now) return refused('SLOT_PASSED', 'Ce créneau est déjà passé : choisissez-en un à venir.');
  const end = instantOf(date, slot.hours.end, timeZone);
  const endsAt = new Date(Math.max(startsAt.getTime(), end.getTime())); // 2h30-3h where 2h30 became 3h30
  return {
    kind: 'scheduled',
    schedule: { ...slot, date: date.toString(), weekend: date.dayOfWeek > 5, startsAt, endsAt },
  };
}

const refused = (slug: SlotSlug, message: string): ScheduleOutcome => ({ kind: 'refused', message, slug });

/** The account's own slots come first, by id and by exact label; then free text. */
function findSlot(text: string, slots: readonly AccountSlot[]) {
  const own = slots.find((slot) => slot.id === text) ?? slots.find((slot) => slot.label === text);
  if (own) return { label: own.label, slotId: own.id, hours: { start: own.start, end: own.end } };
  const hours = parseSlot(text);
  return hours && { label: formatSlot(hours), slotId: null, hours };
}

/** A timestamp with an offset is an instant, seen from the service's zone; anything else already is local. */
function localDate(text: string, timeZone: string): Temporal.PlainDate {
  return hasOffset(text)
    ? Temporal.Instant.from(text).toZonedDateTimeISO(timeZone).toPlainDate()
    : Temporal.PlainDate.from(text.slice(0, 10));
}

/** The next moment at which local clocks show this time (HH:MM). */
export function nextLocalTime(time: string, timeZone: string, now: Date): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const sameDay = instantOf(today, hour * 60 + minute, timeZone);
  return sameDay > now ? sameDay : instantOf(today.add({ days: 1 }), hour * 60 + minute, timeZone);
}

/** The day, YYYY-MM-DD, on local calendars. */
export function localDay(instant: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();
}

/** The first instant of what a date filter names: a bare date begins at local midnight. */
export function startOf(text: string, timeZone: string): Date {
  return isBareDate(text) ? instantOf(localDate(text, timeZone), 0, timeZone) : instantNamed(text, timeZone);
}

/** The first instant after what a date filter names: a bare date counts to its end, a moment counts itself. */
export function endOf(text: string, timeZone: string): Date {
  if (isBareDate(text)) return instantOf(localDate(text, timeZone).add({ days: 1 }), 0, timeZone);
  return new Date(instantNamed(text, timeZone).getTime() + 1);
}

/** The last so many local days, today included, oldest first. */
export function lastDays(count: number, timeZone: string, now: Date): string[] {
  const today = Temporal.PlainDate.from(localDay(now, timeZone));
  return Array.from({ length: count }, (_, i) => today.subtract({ days: count - 1 - i }).toString());
}

const isBareDate = (text: string) => text.length === 10;
const hasOffset = (text: string) => /[T ].*(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text);

function instantNamed(text: string, timeZone: string): Date {
  const { epochMilliseconds } = hasOffset(text)
    ? Temporal.Instant.from(text)
    : Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone);
  return new Date(epochMilliseconds);
}

function instantOf(date: Temporal.PlainDate, minutes: number, timeZone: string): Date {
  const time = Temporal.PlainTime.from({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
  return new Date(date.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds);
}
