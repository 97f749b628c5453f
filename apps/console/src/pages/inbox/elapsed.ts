const MINUTE_MS = 60_000;

export interface Elapsed {
  unit: 'minutes' | 'hours' | 'days';
  count: number;
  /** With hours: the rest, two digits. */
  minutes: string;
}

/** How long something has lasted, in the unit that a person would say. */
export function elapsedSince(since: string, now: string): Elapsed {
  const total = Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / MINUTE_MS));
  const minutes = String(total % 60).padStart(2, '0');
  if (total < 60) return { unit: 'minutes', count: total, minutes };
  if (total < 48 * 60) return { unit: 'hours', count: Math.floor(total / 60), minutes };
  return { unit: 'days', count: Math.floor(total / (24 * 60)), minutes };
}
