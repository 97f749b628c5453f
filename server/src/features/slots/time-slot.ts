/** A time window on a local day, in minutes after midnight. */
export interface SlotHours {
  start: number;
  end: number;
}

const TIME = String.raw`(\d{1,2})(?:h(\d{2})?|:(\d{2}))`;
const RANGE = String.raw`${TIME}\s*[-–—]\s*${TIME}`;
const WHOLE = new RegExp(`^\\s*${RANGE}\\s*$`, 'i');
const INSIDE = new RegExp(`(?<!\\d)${RANGE}(?![\\dh:])`, 'i');

/** Reads `14h-16h`, `14h30-16h` or `14:00-16:00`; null when it is none of them or ends before it starts. */
export const parseSlot = (text: string): SlotHours | null => read(WHOLE.exec(text));

/** Finds the hours in a slot's label, such as `Matin (9h-12h)`. */
export const findHoursIn = (label: string): SlotHours | null => read(INSIDE.exec(label));

/** The normal form: `14h-16h`, minutes only where they are not zero. */
export const formatSlot = ({ start, end }: SlotHours): string => `${formatTime(start)}-${formatTime(end)}`;

function read(match: RegExpExecArray | null): SlotHours | null {
  if (!match) return null;
  const start = minutesOf(match[1], match[2] ?? match[3]);
  const end = minutesOf(match[4], match[5] ?? match[6]);
  return start !== null && end !== null && end > start ? { start, end } : null;
}

function minutesOf(hourText = '', minuteText = '0'): number | null {
  const hour = Number(hourText);
  const minute = Number(minuteText);
  return hour < 24 && minute < 60 ? hour * 60 + minute : null;
}

function formatTime(minutes: number): string {
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)}h${rest === 0 ? '' : String(rest).padStart(2, '0')}`;
}
