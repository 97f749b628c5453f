import { type CountryCode, type NumberType, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { countryCode } from './country-code.ts';

/** The address of the person, by which a number in national form is read. */
interface Place {
  country: string;
  /** Null for a person whose address is not known: nothing contradicts the country. */
  postalCode: string | null;
}

/** Why an SMS is not sent, for the operator. */
export const SMS_REFUSALS = [
  'NUMBER_NOT_UNDERSTOOD',
  'NUMBER_TYPE_REFUSED',
  'COUNTRY_NOT_LISTED',
  'DAILY_BUDGET_SPENT',
] as const;
export type SmsRefusal = (typeof SMS_REFUSALS)[number];

/** The ones that depend on the number alone. */
export type NumberRefusal = Exclude<SmsRefusal, 'DAILY_BUDGET_SPENT'>;

export type SmsNumber = { number: string; refusal: null } | { number: null; refusal: NumberRefusal };

/** Types with a normal charge: no premium, shared cost, satellite, personal or pager numbers. */
const TYPES: readonly NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE', 'VOIP'];

/**
 * The number to send an SMS to, as `+33612345678`, or the reason why there is none. The API checks no format, so the text
 * may be anything. A number in national form belongs to the country of the address. If that country is unknown, only the
 * international form is accepted, so that no message goes to the wrong person.
 */
export function readSmsNumber(given: string, place: Place, countries: readonly string[]): SmsNumber {
  const found = readPhoneNumber(given, place);
  if (!found) return { number: null, refusal: 'NUMBER_NOT_UNDERSTOOD' };
  if (!TYPES.includes(found.getType())) return { number: null, refusal: 'NUMBER_TYPE_REFUSED' };
  // Numbers that belong to no country (+881, +882, +979…) are on no list.
  if (!countries.includes(found.country ?? '')) return { number: null, refusal: 'COUNTRY_NOT_LISTED' };
  return { number: found.number, refusal: null };
}

/** The international form, as `+33612345678`, of any valid number. Null when it is not understood. */
export const internationalNumber = (given: string, place: Place): string | null =>
  readPhoneNumber(given, place)?.number ?? null;

function readPhoneNumber(given: string, place: Place): PhoneNumber | undefined {
  const text = given
    .normalize('NFKC')
    .replaceAll(/\p{Format}/gu, '')
    .trim(); // copied numbers may contain direction marks
  const asIn = (region?: CountryCode) => {
    const found = parsePhoneNumberFromString(text, { ...(region ? { defaultCountry: region } : {}), extract: false });
    return found?.isValid() ? found : undefined;
  };
  if (text.startsWith('+')) return asIn();
  for (const region of regionsOf(place)) {
    const found = asIn(region);
    if (found) return found;
  }
  return undefined;
}

/** Metropolitan France and the territories that dial each other with a leading zero. */
const FRENCH_PLAN: readonly CountryCode[] = ['FR', 'GP', 'BL', 'MF', 'MQ', 'GF', 'RE', 'YT', 'PM'];

/** Territories by the first three digits of their postal codes; merchants mostly write `France` for them. */
const OVERSEAS: Record<string, CountryCode> = {
  ...{ 971: 'GP', 972: 'MQ', 973: 'GF', 974: 'RE', 975: 'PM', 976: 'YT', 977: 'BL', 978: 'MF' },
  ...{ 986: 'WF', 987: 'PF', 988: 'NC' },
};

/** The regions that a number in national form may belong to, most likely first. */
function regionsOf({ country, postalCode }: Place): CountryCode[] {
  const stated = countryCode(country);
  const region = stated === 'FR' ? frenchRegion(postalCode) : stated;
  if (!region) return [];
  return FRENCH_PLAN.includes(region) ? [...new Set([region, ...FRENCH_PLAN])] : [region];
}

/**
 * `France` is also the default of an address without a country, so with a postal code of another country it proves
 * nothing. Postal codes of Monaco (980…) have five digits as well, and its phone numbers look like French ones.
 */
function frenchRegion(postalCode: string | null): CountryCode | null {
  if (postalCode === null) return 'FR';
  const code = /^\s*(?:F-?\s*)?(\d{2} ?\d{3})(?!\d)/i.exec(postalCode)?.[1]?.replace(' ', '');
  if (!code || code.startsWith('980')) return null;
  return OVERSEAS[code.slice(0, 3)] ?? 'FR';
}
