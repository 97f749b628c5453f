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
  | { kind: 'refused'; message: string };

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
  if (timeSlot === undefined) return refused('Une date est donnée sans créneau : ajoutez timeSlot.');
  if (scheduledDate === undefined) return refused('Un créneau est donné sans date : ajoutez scheduledDate.');

  const slot = findSlot(timeSlot, slots);
  if (!slot)
    return refused('Créneau non reconnu : donnez un créneau du compte, ou par exemple 14h-16h ou 14:00-16:00.');

  const date = localDate(scheduledDate, timeZone);
  const startsAt = instantOf(date, slot.hours.start, timeZone);
  if (startsAt < now) return refused('Ce créneau est déjà passé : choisissez-en un à venir.');
  const endsAt = instantOf(date, slot.hours.end, timeZone);
  return {
    kind: 'scheduled',
    schedule: { ...slot, date: date.toString(), weekend: date.dayOfWeek > 5, startsAt, endsAt },
  };
}

const refused = (message: string): ScheduleOutcome => ({ kind: 'refused', message });

/** The account's own slots come first, by id and by exact label; then free text. */
function findSlot(text: string, slots: readonly AccountSlot[]) {
  const own = slots.find((slot) => slot.id === text) ?? slots.find((slot) => slot.label === text);
  if (own) return { label: own.label, slotId: own.id, hours: { start: own.start, end: own.end } };
  const hours = parseSlot(text);
  return hours && { label: formatSlot(hours), slotId: null, hours };
}

/** A timestamp with an offset is an instant, seen from the service's zone; anything else already is local. */
function localDate(text: string, timeZone: string): Temporal.PlainDate {
  const hasOffset = /[T ].*(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text);
  return hasOffset
    ? Temporal.Instant.from(text).toZonedDateTimeISO(timeZone).toPlainDate()
    : Temporal.PlainDate.from(text.slice(0, 10));
}

function instantOf(date: Temporal.PlainDate, minutes: number, timeZone: string): Date {
  const time = Temporal.PlainTime.from({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
  return new Date(date.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds);
}
