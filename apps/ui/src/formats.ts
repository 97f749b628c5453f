const LOCALES: Record<string, string> = { fr: 'fr-FR', en: 'en-GB' };

/** The service's time zone, so that a driver in town and a travelling member read the same time. */
export const timeZone =
  document.querySelector('meta[name="time-zone"]')?.getAttribute('content')?.replace('__TIME_ZONE__', '') ||
  'Europe/Paris';

const isoDate = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });

/** The date in the service's time zone, YYYY-MM-DD. */
export const localDate = (instant: Date): string => isoDate.format(instant);

/** `45 s`, `12 min`, `1 h 05`: the same in both languages. */
function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)}\u00a0s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}\u00a0min`;
  return `${Math.floor(minutes / 60)}\u00a0h\u00a0${String(minutes % 60).padStart(2, '0')}`;
}

export function createFormat(language: string) {
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
  const metres = number({ style: 'unit', unit: 'meter' });
  const kilometres = number({ style: 'unit', unit: 'kilometer', maximumFractionDigits: 1 });
  const day = localDay({});
  const dayAndYear = localDay({ year: 'numeric' });
  const isOfThisYear = (local: string) => local.slice(0, 4) === localDate(new Date()).slice(0, 4);
  return {
    money: number({ style: 'currency', currency: 'EUR' }),
    /** For a chart axis: 250 € */
    wholeMoney: number({ style: 'currency', currency: 'EUR', minimumFractionDigits: 0, maximumFractionDigits: 2 }),
    number: number({}),
    duration,
    percent: number({ style: 'percent', maximumFractionDigits: 1 }),
    /** 40 m, 1,3 km */
    metres: (value: number) => (value < 1_000 ? metres(value) : kilometres(value / 1_000)),
    /** A change: +12 %, −3 % */
    signedPercent: number({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
    /** +1,5 */
    signed: number({ maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
    /** 4 mars 2026 */
    date: date({ dateStyle: 'medium' }),
    /** 4 mars 2026, 15:32 */
    dateTime: date({ dateStyle: 'medium', timeStyle: 'short' }),
    /** 4 mars 2026, 15:32:10 */
    dateTimeSeconds: date({ dateStyle: 'medium', timeStyle: 'medium' }),
    time: date({ timeStyle: 'short' }),
    /** mer. 4 mars, 15:32 */
    dayTime: date({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
    /** For a local date, YYYY-MM-DD: 4 mars */
    day,
    /** The same, with the year unless it is the current one: 4 mars, 4 janv. 2027 */
    dayOfSlot: (local: string) => (isOfThisYear(local) ? day : dayAndYear)(local),
  };
}
export type Format = ReturnType<typeof createFormat>;
