/** Local days, both included. */
export interface Period {
  from: string;
  to: string;
}

export const PRESETS = ['today', 'yesterday', 'last7', 'last30', 'month', 'lastMonth'] as const;
export type Preset = (typeof PRESETS)[number];

const DAY_MS = 86_400_000;
const toDate = (time: number) => new Date(time).toISOString().slice(0, 10);
const daysBefore = (day: string, days: number) => toDate(Date.parse(day) - days * DAY_MS);

/** The days of a preset, seen from a local day. */
export function periodOf(preset: Preset, today: string): Period {
  const month = `${today.slice(0, 7)}-01`;
  const lastOfMonthBefore = daysBefore(month, 1);
  const yesterday = daysBefore(today, 1);
  return {
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    last7: { from: daysBefore(today, 6), to: today },
    last30: { from: daysBefore(today, 29), to: today },
    month: { from: month, to: today },
    lastMonth: { from: `${lastOfMonthBefore.slice(0, 7)}-01`, to: lastOfMonthBefore },
  }[preset];
}

/** The preset with exactly these days; null for any other period. */
export const presetOf = ({ from, to }: Period, today: string): Preset | null =>
  PRESETS.find((preset) => {
    const period = periodOf(preset, today);
    return period.from === from && period.to === to;
  }) ?? null;

export const daysIn = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The last day that a period may have. */
export const latestEnd = (from: string, mostDays: number): string => daysBefore(from, 1 - mostDays);
