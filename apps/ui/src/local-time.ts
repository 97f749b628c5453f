/** The local time in a zone, as a field of the type `datetime-local` writes it: YYYY-MM-DDTHH:MM. */
export function localTimeOf(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return parts.format(instant).replace(' ', 'T');
}

/** The instant of a local time in a zone; null when the text is none. An hour that occurs twice is the first one. */
export function instantOf(localTime: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(localTime)) return null;
  const asUtc = Date.parse(`${localTime}:00Z`);
  const offsetAt = (at: number) => Date.parse(`${localTimeOf(new Date(at), timeZone)}:00Z`) - at;
  const offsets = [offsetAt(asUtc - DAY_MS), offsetAt(asUtc + DAY_MS)]; // before and after a clock change
  const exact = offsets
    .map((offset) => asUtc - offset)
    .filter((at) => localTimeOf(new Date(at), timeZone) === localTime);
  return new Date(exact.length > 0 ? Math.min(...exact) : asUtc - (offsets[0] ?? 0));
}

const DAY_MS = 86_400_000;
