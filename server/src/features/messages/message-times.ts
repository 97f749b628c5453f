import type { Language } from '@navette/contract';

const LOCALES: Record<Language, string> = { fr: 'fr-FR', en: 'en-GB' };

interface Slot {
  slotStartsAt: Date | null;
  slotEndsAt: Date | null;
  /** As the account names it: `14h-16h`, `Matin (9h-12h)`. */
  timeSlot: string | null;
}

/** Days and times of messages, in the service's time zone. */
export function createMessageTimes(language: Language, timeZone: string) {
  const format = (at: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALES[language], { ...options, timeZone }).format(at);
  const time = (at: Date) => format(at, { hour: '2-digit', minute: '2-digit' });
  return {
    time,
    /** `mercredi 5 mars à 15:42`. */
    moment: (at: Date) =>
      format(at, { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' }),
    /** `mercredi 5 mars, 14h-16h`, or `mer. 5 mars, 14h-16h`; null without a slot. Names of slots are French. */
    slot({ slotStartsAt, slotEndsAt, timeSlot }: Slot, length: 'short' | 'long'): string | null {
      if (!slotStartsAt || !timeSlot) return null;
      const day = format(slotStartsAt, { weekday: length, day: 'numeric', month: length });
      const hours = language === 'fr' || !slotEndsAt ? timeSlot : `${time(slotStartsAt)}-${time(slotEndsAt)}`;
      return `${day}, ${hours}`;
    },
  };
}
