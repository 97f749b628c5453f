const MINUTE_MS = 60_000;

export interface RushHour {
  /** The whole minute at which everything that waits for a time starts to look for a driver. */
  at: Date;
  /** `HH:MM`, as an account's agreed pickup time. */
  agreedTime: string;
  slot: { scheduledDate: string; timeSlot: string };
  /** The same hours, the day after. */
  anotherDay: { scheduledDate: string; timeSlot: string };
}

/** How long before its slot a search begins: so long that a slot of two hours ends before midnight. */
export const chooseLeadMinutes = (now: Date, timeZone: string): number =>
  local(new Date(now.getTime() + 60 * MINUTE_MS), timeZone).hour < 21 ? 60 : 240;

/** Slots begin on whole minutes, and so does the search for their drivers, a set time before. */
export function nextRushHour(notBefore: Date, leadMinutes: number, timeZone: string): RushHour {
  const at = new Date(Math.ceil(notBefore.getTime() / MINUTE_MS) * MINUTE_MS);
  const after = (minutes: number) => local(new Date(at.getTime() + minutes * MINUTE_MS), timeZone);
  const start = after(leadMinutes);
  const timeSlot = `${start.time}-${String(start.hour + 2).padStart(2, '0')}${start.time.slice(2)}`;
  return {
    at,
    agreedTime: after(0).time,
    slot: { scheduledDate: start.day, timeSlot },
    anotherDay: { scheduledDate: after(leadMinutes + 24 * 60).day, timeSlot },
  };
}

function local(date: Date, timeZone: string) {
  const [day, time] = date.toLocaleString('sv-SE', { timeZone }).split(' ') as [string, string]; // 2030-05-20 14:30:00
  return { day, time: time.slice(0, 5), hour: Number(time.slice(0, 2)) };
}
