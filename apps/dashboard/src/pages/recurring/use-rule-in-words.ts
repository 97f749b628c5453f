import type { RecurringSummary } from '@navette/contract';
import { localDate } from '@navette/ui/formats';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useTranslation } from 'react-i18next';

const MONDAY = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;

/** The name of a weekday, 1 for Monday. */
export function weekdayName(weekday: number, language: string, style: 'long' | 'short' = 'long'): string {
  const format = new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' });
  return format.format(new Date(MONDAY + (weekday - 1) * DAY_MS));
}

type Rule = Pick<RecurringSummary, 'weekdays' | 'startsOn' | 'endsOn'>;

/** "Chaque mardi et jeudi, jusqu’au 4 mars 2027"; the slot is shown beside it. */
export function useRuleInWords(): (rule: Rule) => string {
  const { t, i18n } = useTranslation('recurring');
  const format = useFormat();
  const days = (weekdays: number[]) => {
    if (weekdays.length === 7) return t('everyDay');
    if (weekdays.join() === '1,2,3,4,5') return t('workdays');
    const names = weekdays.map((weekday) => weekdayName(weekday, i18n.language));
    return t('days', { days: new Intl.ListFormat(i18n.language).format(names) });
  };
  return ({ weekdays, startsOn, endsOn }) =>
    [
      days(weekdays),
      ...(startsOn > localDate(new Date()) ? [t('from', { day: format.dayOfSlot(startsOn) })] : []),
      ...(endsOn ? [t('until', { day: format.dayOfSlot(endsOn) })] : []),
    ].join(', ');
}
