import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

const LOCALES: Record<string, string> = { fr: 'fr-FR', en: 'en-GB' };

/** Of the service: an instant reads the same for a driver in town and for a member who travels. */
export const timeZone =
  document.querySelector('meta[name="time-zone"]')?.getAttribute('content')?.replace('__TIME_ZONE__', '') ||
  'Europe/Paris';

function createFormat(language: string) {
  const locale = LOCALES[language] ?? 'fr-FR';
  const date = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    return (instant: string | Date) => format.format(new Date(instant));
  };
  const number = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, options);
    return (value: number) => format.format(value);
  };
  const localDay = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', ...options });
    return (localDate: string) => format.format(new Date(`${localDate}T00:00:00Z`));
  };
  const day = localDay({});
  const dayAndYear = localDay({ year: 'numeric' });
  const thisYear = date({ year: 'numeric' })(new Date());
  return {
    money: number({ style: 'currency', currency: 'EUR' }),
    /** Of a scale: 250 € */
    wholeMoney: number({ style: 'currency', currency: 'EUR', minimumFractionDigits: 0, maximumFractionDigits: 2 }),
    number: number({}),
    percent: number({ style: 'percent', maximumFractionDigits: 1 }),
    /** 4 mars 2026 */
    date: date({ dateStyle: 'medium' }),
    /** 4 mars 2026, 15:32 */
    dateTime: date({ dateStyle: 'medium', timeStyle: 'short' }),
    /** 4 mars 2026, 15:32:10 */
    dateTimeSeconds: date({ dateStyle: 'medium', timeStyle: 'medium' }),
    time: date({ timeStyle: 'short' }),
    /** Of a local date, YYYY-MM-DD: 4 mars */
    day,
    /** The same with its year where that is not this one: 4 mars, 4 janv. 2027 */
    dayOfSlot: (localDate: string) => (localDate.startsWith(thisYear) ? day : dayAndYear)(localDate),
  };
}
export type Format = ReturnType<typeof createFormat>;

export function useFormat(): Format {
  const { i18n } = useTranslation();
  return useMemo(() => createFormat(i18n.language), [i18n.language]);
}
