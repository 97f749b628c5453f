import { type CountryCode, getCountries } from 'libphonenumber-js/max';

/** French, English, and the other languages of the countries that SMS are sent to by default. */
const LANGUAGES = ['fr', 'en', 'nl', 'de', 'it'];

/** Common names that Unicode does not have. */
const OTHER_NAMES: Record<string, CountryCode> = {
  'France métropolitaine': 'FR',
  FRA: 'FR',
  Réunion: 'RE',
  Guyane: 'GF',
  BEL: 'BE',
  CHE: 'CH',
  LUX: 'LU',
  MCO: 'MC',
  Hollande: 'NL',
  Holland: 'NL',
  UK: 'GB',
  'Grande-Bretagne': 'GB',
  'Great Britain': 'GB',
  Angleterre: 'GB',
  England: 'GB',
  USA: 'US',
};

const CODES = new Map<string, CountryCode>();
for (const code of getCountries()) {
  CODES.set(simplify(code), code);
  for (const language of LANGUAGES) {
    CODES.set(simplify(new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code), code);
  }
}
for (const [name, code] of Object.entries(OTHER_NAMES)) CODES.set(simplify(name), code);

/** The ISO 3166 code of a country given as free text, a code or a name. Null when it is neither. */
export function countryCode(country: string): CountryCode | null {
  return CODES.get(simplify(country)) ?? null;
}

/** Letters only, without accents and case: `Saint-Barthélemy` and `SAINT BARTHELEMY` are the same. */
function simplify(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}]/gu, '');
}
