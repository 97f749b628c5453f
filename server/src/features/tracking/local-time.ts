import type { Language } from '../../http/choose-language.ts';
import { WORDS } from './words.ts';

const LOCALES: Record<Language, string> = { fr: 'fr-FR', en: 'en-GB' };

/** Cached: creating a formatter takes longer than rendering the rest of the page, and so does Temporal. */
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, known);
  return known;
}

/** Days and hours as text, in the service's time zone. */
export function createLocalTime(language: Language, timeZone: string, now: Date) {
  const words = WORDS[language];
  const format = (options: Intl.DateTimeFormatOptions) => formatter(LOCALES[language], { ...options, timeZone });
  const dayOf = (instant: Date) => Date.parse(formatter('en-CA', { timeZone }).format(instant)); // YYYY-MM-DD
  const today = dayOf(now);
  const time = (instant: Date) => format({ hour: '2-digit', minute: '2-digit' }).format(instant);

  /** 0 today, 1 tomorrow, -1 yesterday. */
  const daysAhead = (instant: Date) => (dayOf(instant) - today) / 86_400_000; // a whole number: both are midnight in UTC

  return {
    time,
    daysAhead,
    now: time(now),
    day(instant: Date): string {
      const ahead = daysAhead(instant);
      if (ahead === 0) return words.today;
      if (ahead === 1) return words.tomorrow;
      const text = format({ weekday: 'long', day: 'numeric', month: 'long' }).format(instant);
      return text.charAt(0).toUpperCase() + text.slice(1);
    },
    /** Of a slot: `14h`, `14h30` in French, `14:00` in English. */
    hour(instant: Date): string {
      if (language === 'en') return time(instant);
      const [hours = '', minutes = ''] = time(instant).split(':');
      return `${Number(hours)}h${minutes === '00' ? '' : minutes}`;
    },
    /** `à 15:42`, with the date unless it was today. */
    moment(instant: Date): string {
      const at = language === 'fr' ? `à ${time(instant)}` : `at ${time(instant)}`;
      if (daysAhead(instant) === 0) return at;
      const day = format({ weekday: 'long', day: 'numeric', month: 'long' }).format(instant);
      return language === 'fr' ? `${day} ${at}` : `on ${day} ${at}`;
    },
    /** Short, for the list of steps: the time, with the date unless it was today. */
    stamp(instant: Date): string {
      if (daysAhead(instant) === 0) return time(instant);
      return `${format({ day: 'numeric', month: 'short' }).format(instant)}, ${time(instant)}`;
    },
  };
}

export type LocalTime = ReturnType<typeof createLocalTime>;
