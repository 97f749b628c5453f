const MINUTE_MS = 60_000;

export interface RushHour {
  /** The whole minute at which the search for all scheduled shipments starts. */
  at: Date;
  /** `HH:MM`, as an account's agreed pickup time. */
  agreedTime: string;
  slot: { scheduledDate: string; timeSlot: string };
}

/** Minutes from the start of the search to the slot, chosen so that a slot of two hours ends before midnight. */
export const chooseLeadMinutes = (now: Date, timeZone: string): number =>
  local(new Date(now.getTime() + 60 * MINUTE_MS), timeZone).hour < 21 ? 60 : 240;

/** Slots start on whole minutes, and the search a fixed time before them. */
export function nextRushHour(notBefore: Date, leadMinutes: number, timeZone: string): RushHour {
  const at = new Date(Math.ceil(notBefore.getTime() / MINUTE_MS) * MINUTE_MS);
  const after = (minutes: number) => local(new Date(at.getTime() + minutes * MINUTE_MS), timeZone);
  const start = after(leadMinutes);
  const timeSlot = `${start.time}-${String(start.hour + 2).padStart(2, '0')}${start.time.slice(2)}`;
  return {
    at,
    agreedTime: after(0).time,
    slot: { scheduledDate: start.day, timeSlot },
  };
}

function local(date: Date, timeZone: string) {
  const [day, time] = date.toLocaleString('sv-SE', { timeZone }).split(' ') as [string, string]; // 2030-05-20 14:30:00
  return { day, time: time.slice(0, 5), hour: Number(time.slice(0, 2)) };
}
