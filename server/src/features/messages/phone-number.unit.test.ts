import { type CountryCode, getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { countryCode } from './country-code.ts';
import { readSmsNumber } from './phone-number.ts';

const EVERYWHERE = getCountries();
const { smsCountries } = readConfig({});
const paris = { country: 'France', postalCode: '75001' };
const brussels = { country: 'Belgique', postalCode: '1000' };
const read = (
  given: string,
  place: Parameters<typeof readSmsNumber>[1] = paris,
  countries: readonly string[] = EVERYWHERE,
) => {
  const { number, refusal } = readSmsNumber(given, place, countries);
  return number ?? refusal;
};

describe('a phone number', () => {
  test.each([
    ['+33612345678', '+33612345678'],
    ['06 12 34 56 78', '+33612345678'],
    ['06.12.34.56.78', '+33612345678'],
    ['06/12/34/56/78', '+33612345678'],
    ['0033 6 12 34 56 78', '+33612345678'],
    ['+33 (0)6 12 34 56 78', '+33612345678'],
    ['\u202a+33 6 12 34 56 78\u202c', '+33612345678'],
    ['＋３３６１２３４５６７８', '+33612345678'],
    ['+49 151 23456789', '+4915123456789'],
    ['0032 470 12 34 56', '+32470123456'],
    ['01 23 45 67 89', '+33123456789'],
  ])('%s in Paris is %s', (given, number) => {
    expect(read(given)).toBe(number);
  });

  test.each([
    '112',
    '0000000000',
    '061234567',
    '+33612345678; DROP',
    '06 12 34 56 78 ou 07 12 34 56 78',
    'sonner deux fois',
    '+',
    '',
  ])('%s is not understood', (given) => {
    expect(read(given)).toBe('NUMBER_NOT_UNDERSTOOD');
  });

  test.each([
    ['Belgique', '1000', '0470 12 34 56', '+32470123456'],
    ['Belgium', '1000', '0470/12.34.56', '+32470123456'],
    ['BE', '1000', '0470123456', '+32470123456'],
    ['België', '1000', '0470123456', '+32470123456'],
    ['SUISSE', '1201', '079 123 45 67', '+41791234567'],
    ['Luxembourg', 'L-1111', '628 123 456', '+352628123456'],
    ['Monaco', '98000', '06 12 34 56 78', '+377612345678'],
    ['Italia', '00184', '312 345 6789', '+393123456789'],
    ['Nouvelle-Calédonie', '98800', '75 12 34', '+687751234'],
  ])('in national form is one of the country of the address: %s', (country, postalCode, given, number) => {
    expect(read(given, { country, postalCode })).toBe(number);
  });

  test.each([
    ['an unknown country', { country: 'Wallonie', postalCode: '1000' }],
    ['France, which is also what no country becomes, with a Belgian postal code', { ...paris, postalCode: '1000' }],
    ['France with a postal code of Monaco', { ...paris, postalCode: '98000' }],
    ['a country where it cannot be one', brussels],
  ])('in national form is nobody’s in %s, and the international form is understood', (_case, place) => {
    expect(read('06 12 34 56 78', place)).toBe('NUMBER_NOT_UNDERSTOOD');
    expect(read('+33 6 12 34 56 78', place)).toBe('+33612345678');
  });

  test.each([
    ['97110', '0690 12 34 56', '+590690123456'],
    ['75001', '0690 12 34 56', '+590690123456'],
    ['97133', '0690 12 34 56', '+590690123456'],
    ['97400', '0692 12 34 56', '+262692123456'],
    ['97600', '0639 01 23 45', '+262639012345'],
    ['97300', '0694 20 12 34', '+594694201234'],
    ['97200', '0696 20 12 34', '+596696201234'],
    ['97500', '55 12 34', '+508551234'],
    ['98800', '75 12 34', '+687751234'],
    ['98713', '87 12 34 56', '+68987123456'],
    ['97400', '06 12 34 56 78', '+33612345678'], // a number from before a move
  ])('in France, postal code %s: %s is %s', (postalCode, given, number) => {
    expect(read(given, { ...paris, postalCode })).toBe(number);
  });

  test.each([
    ['06 12 34 56 78', '+33612345678'],
    ['0690 12 34 56', '+590690123456'],
    ['02 345 67 89', 'NUMBER_NOT_UNDERSTOOD'],
  ])('in France, without any address: %s is %s', (given, number) => {
    expect(read(given, { country: 'France', postalCode: null })).toBe(number);
  });

  test('of the French numbering plan belongs to one territory only, wherever it is dialled from', () => {
    for (const region of ['FR', 'GP', 'MQ', 'GF', 'RE', 'YT', 'PM'] as CountryCode[]) {
      const example = getExampleNumber(region, examples);
      const dialled = example?.formatNational() ?? '';
      const readings = ['FR', 'GP', 'MQ', 'GF', 'RE', 'YT', 'PM'].flatMap((from) => {
        const found = parsePhoneNumberFromString(dialled, from as CountryCode);
        return found?.isValid() ? found.number : [];
      });
      expect([dialled, [...new Set(readings)]]).toEqual([dialled, [example?.number]]);
    }
  });
});

describe('an SMS is refused to', () => {
  test.each([
    '+97912345678',
    '+979123456789',
    '+881612345678',
    '+882131234567',
    '+88299123456789',
    '+883510012345',
    '+870773111632',
    '+8781012345678901',
    '+23276123456',
    '+5351234567',
    '+37129123456',
    '+12025550123',
  ])('%s by default', (given) => {
    expect(read(given, paris, smsCountries)).toMatch(
      /^(COUNTRY_NOT_LISTED|NUMBER_TYPE_REFUSED|NUMBER_NOT_UNDERSTOOD)$/,
    );
  });

  test.each([
    ['premium rate', '0899 12 34 56'],
    ['toll free', '0800 12 34 56'],
    ['shared cost', '0820 12 34 56'],
    ['premium rate in Belgium', '+32 903 12 345'],
    ['premium rate in Switzerland', '+41 900 123 456'],
  ])('%s numbers, in every country', (_case, given) => {
    expect(read(given)).toBe('NUMBER_TYPE_REFUSED');
  });

  test('satellite and international services, whatever the operator lists', () => {
    for (const given of ['+881612345678', '+883510012345', '+870773111632'])
      expect(read(given)).toBe('COUNTRY_NOT_LISTED');
  });

  test('countries that the operator does not list, and to no other', () => {
    expect(read('+4915123456789', paris, smsCountries)).toBe('COUNTRY_NOT_LISTED');
    expect(read('+4915123456789', paris, ['DE'])).toBe('+4915123456789');
    expect(read('+33612345678', paris, ['DE'])).toBe('COUNTRY_NOT_LISTED');
    for (const country of smsCountries as CountryCode[]) {
      const example = getExampleNumber(country, examples)?.number ?? '';
      expect([country, read(example, paris, smsCountries)]).toEqual([country, example]);
    }
  });
});

describe('a country', () => {
  test.each([
    ['France', 'FR'],
    [' FRANCE ', 'FR'],
    ['fr', 'FR'],
    ['La Réunion', 'RE'],
    ['Reunion', 'RE'],
    ['Saint Barthelemy', 'BL'],
    ['Côte d’Ivoire', 'CI'],
    ['Royaume-Uni', 'GB'],
    ['UK', 'GB'],
    ['Schweiz', 'CH'],
    ['Atlantis', null],
    ['', null],
    ['constructor', null],
  ])('%s is %s', (name, code) => {
    expect(countryCode(name)).toBe(code);
  });

  test('shares none of its names with another country', () => {
    for (const code of getCountries()) {
      for (const language of ['fr', 'en', 'nl', 'de', 'it'])
        expect(countryCode(new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? '')).toBe(code);
    }
  });
});
