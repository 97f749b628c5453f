import { localDate } from '@navette/ui/formats';
import type { ListFilter } from './list-filter.ts';

export type DatePreset = 'anyDate' | 'today' | 'last7' | 'last30' | 'period';

const DAY_MS = 86_400_000;
const BACK: Partial<Record<DatePreset, number>> = { today: 0, last7: 6, last30: 29 };

export function datesOf(preset: DatePreset, now: Date): { from: string; to: string } {
  const today = localDate(now);
  if (preset === 'anyDate') return { from: '', to: '' };
  if (preset === 'period') return { from: today, to: today };
  const from = new Date(Date.parse(`${today}T12:00:00Z`) - (BACK[preset] ?? 0) * DAY_MS).toISOString().slice(0, 10);
  return { from, to: '' };
}

/** The preset that matches the dates today; any other dates are a custom period. */
export function presetOf({ from, to }: ListFilter, now = new Date()): DatePreset {
  if (!from && !to) return 'anyDate';
  const same = (['today', 'last7', 'last30'] as const).find((preset) => !to && datesOf(preset, now).from === from);
  return same ?? 'period';
}
