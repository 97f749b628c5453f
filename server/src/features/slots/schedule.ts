import type { DashboardErrorSlug } from '@navette/contract';
import { instantOf, localDate } from '../../calendar/local-calendar.ts';
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

interface ScheduleRequest {
  scheduledDate?: string;
  timeSlot?: string;
}

/**
 * Resolves the two scheduling fields of a request: express, a slot, or a refusal.
 * Hours are local; on the day of a clock change a start time that does not exist moves forward with the clock.
 */
export function resolveSchedule(
  request: ScheduleRequest,
  slots: readonly AccountSlot[],
  timeZone: string,
  now: Date,
): ScheduleOutcome {
  const { scheduledDate, timeSlot } = request;
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
  const endsAt = new Date(Math.max(startsAt.getTime(), end.getTime())); // 2h30-3h on a day when 2h30 became 3h30
  return {
    kind: 'scheduled',
    schedule: { ...slot, date: date.toString(), weekend: date.dayOfWeek > 5, startsAt, endsAt },
  };
}

const refused = (slug: SlotSlug, message: string): ScheduleOutcome => ({ kind: 'refused', message, slug });

/** Looks for an account slot by id, then by exact label, then reads free text. */
export function findSlot(text: string, slots: readonly AccountSlot[]) {
  const own = slots.find((slot) => slot.id === text) ?? slots.find((slot) => slot.label === text);
  if (own) return { label: own.label, slotId: own.id, hours: { start: own.start, end: own.end } };
  const hours = parseSlot(text);
  return hours && { label: formatSlot(hours), slotId: null, hours };
}
