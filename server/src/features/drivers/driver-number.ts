import { internationalNumber, type NumberRefusal, readSmsNumber } from '../messages/index.ts';

/** A driver has no address. A number in national form belongs to France, as an address without a country does. */
const HOME = { country: 'France', postalCode: null };

/**
 * The number as it is stored: `06 12 34 56 78` becomes `+33612345678`. Null when it needs the international form. A number
 * in that form is stored as given if its range is not known; an invitation by SMS then reports it.
 */
export function storedDriverNumber(given: string): string | null {
  return internationalNumber(given, HOME) ?? (given.trim().startsWith('+') ? given.trim() : null);
}

/** The number to send an SMS to, or the reason why none may be sent. */
export function readDriverNumber(given: string, countries: readonly string[]): string | { refusal: NumberRefusal } {
  const { number, refusal } = readSmsNumber(given, HOME, countries);
  return number ?? { refusal };
}
