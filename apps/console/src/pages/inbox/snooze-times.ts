const HOUR_MS = 3_600_000;
const EVENING = 18;
const MORNING = 8;

export type SnoozeChoice = 'hour' | 'evening' | 'tomorrow';

/** When a snoozed entry comes back. The evening is left out once it has begun. */
export function snoozeTimes(now: Date, timeZone: string): { choice: SnoozeChoice; until: Date }[] {
  const evening = atHour(now, 0, EVENING, timeZone);
  return [
    { choice: 'hour' as const, until: new Date(now.getTime() + HOUR_MS) },
    ...(evening > now ? [{ choice: 'evening' as const, until: evening }] : []),
    { choice: 'tomorrow' as const, until: atHour(now, 1, MORNING, timeZone) },
  ];
}

/** A full hour of the local day, `days` from now. */
function atHour(now: Date, days: number, hour: number, timeZone: string): Date {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);
  const wanted = Date.parse(`${day}T00:00:00Z`) + days * 24 * HOUR_MS + hour * HOUR_MS;
  // The difference to UTC at that time; twice, since it may change on that day.
  const first = wanted - offsetAt(wanted, timeZone);
  return new Date(wanted - offsetAt(first, timeZone));
}

/** The local time, as typed into a field, as an instant. */
export function readLocalTime(text: string, timeZone: string): Date | null {
  const wanted = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN;
  if (Number.isNaN(wanted)) return null;
  return new Date(wanted - offsetAt(wanted - offsetAt(wanted, timeZone), timeZone));
}

/** For a field: YYYY-MM-DDTHH:MM in the local time. */
export function localTimeText(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .replace(' ', 'T');
}

function offsetAt(instant: number, timeZone: string): number {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(instant);
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(instant / 1_000) * 1_000;
}
