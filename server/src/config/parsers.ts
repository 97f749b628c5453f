/** From the text of an environment variable to the value of a setting. */
import { createECDH } from 'node:crypto';
import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { isCellTag } from '@navette/contract/cells';
import { ALPHABET } from '../text/check-character.ts';

/** The message says what the value must be. */
export class BadValue extends Error {}

export const text = (value: string) => value;

export const integer = (lowest: number, highest: number) => (value: string) => {
  const number = Number(value);
  if (!Number.isInteger(number) || number < lowest || number > highest) {
    throw new BadValue(`a whole number from ${lowest} to ${highest}`);
  }
  return number;
};

export const percent = (value: string) => {
  const number = value === '' ? Number.NaN : Number(value);
  if (!(number >= 0 && number <= 100)) throw new BadValue('a number from 0 to 100');
  return number;
};

export const decimal = (lowest: number, highest: number) => (value: string) => {
  const number = value === '' ? Number.NaN : Number(value);
  if (!(number >= lowest && number <= highest)) throw new BadValue(`a number from ${lowest} to ${highest}`);
  return number;
};

/** `0:22,7:15` is 22 km/h from midnight and 15 from seven. Returns a speed for each of the 24 hours. */
export const speedsByHour = (value: string) => {
  const speeds = new Map(value.split(',').map((part) => part.split(':').map(Number) as [number, number]));
  const isWrong = [...speeds].some(([hour, speed]) => !(hour in HOURS && speed >= 1 && speed <= 150));
  if (isWrong || !speeds.has(0)) throw new BadValue('hours with a speed in km/h from then on, as 0:22,7:15,20:18');
  let current = 0;
  return HOURS.map((hour) => {
    current = speeds.get(hour) ?? current;
    return current;
  });
};
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export const url = (protocols: string[]) => (value: string) => {
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new BadValue(`a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
  }
  return value.replace(/\/+$/, '');
};

/** A URL without a user means the system's user, as with psql; the driver alone would read $USER only. */
export const databaseUrl = (value: string) => {
  const address = new URL(url(['postgres:', 'postgresql:'])(value));
  address.username ||= process.env.PGUSER ?? userInfo().username;
  return address.href;
};

export const optionalDatabaseUrl = (value: string) => (value === '' ? null : databaseUrl(value));

export const optionalUrl = (protocols: string[]) => (value: string) => (value === '' ? null : url(protocols)(value));

export const optionalCell = (value: string) => {
  if (value !== '' && !isCellTag(value)) throw new BadValue(`two of the characters ${ALPHABET}`);
  return value || null;
};

export const timeZone = (value: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
  } catch {
    throw new BadValue('a time zone such as Europe/Paris');
  }
  return value;
};

export const oneOf =
  <const V extends readonly string[]>(...values: V) =>
  (value: string): V[number] => {
    if (!values.includes(value)) throw new BadValue(`one of ${values.join(', ')}`);
    return value;
  };

export const distancesKm = (value: string) => {
  const list = value.split(',').map(Number);
  if (list.some((km) => !(km > 0 && km <= 1_000)))
    throw new BadValue('one distance in km per wave, separated by commas');
  return list;
};

export const addressList = (value: string) => (value === '' ? false : value.split(',').map((item) => item.trim()));

/** A list, so that a secret can be rotated while values made with the previous one stay valid. */
export const secrets = (value: string) => {
  const list = value.split(',').map((item) => item.trim());
  if (list.some((item) => item.length < 32))
    throw new BadValue('secrets of 32 characters or more, separated by commas');
  return list;
};

export const mailbox = (value: string) => {
  if (!/^[^<>\r\n]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(value))
    throw new BadValue('an address such as Shop <shop@example.org>');
  return value;
};

/** Networks such as 10.0.0.0/8, or single addresses. */
export const networks = (value: string) => {
  const list = value.split(',').flatMap((item) => item.trim() || []);
  for (const item of list) {
    const [address = '', length, ...rest] = item.split('/');
    const bits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (rest.length > 0 || bits < 0 || (length !== undefined && (!/^\d+$/.test(length) || Number(length) > bits))) {
      throw new BadValue('networks such as 127.0.0.0/8 or ::1, separated by commas');
    }
  }
  return list;
};

/** ISO 3166 codes such as FR. */
export const countries = (value: string) => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const list = value.split(',').flatMap((item) => item.trim().toUpperCase() || []);
  if (list.some((code) => !/^[A-Z]{2}$/.test(code) || names.of(code) === undefined))
    throw new BadValue('country codes of two letters such as FR, separated by commas');
  return list;
};

export const optionalInteger = (lowest: number, highest: number) => (value: string) =>
  value === '' ? null : integer(lowest, highest)(value);
export const optionalPort = optionalInteger(0, 65_535);

/** A private key of P-256: 32 bytes in base64url. */
export const optionalVapidKey = (value: string) => {
  if (value === '') return null;
  try {
    if (!/^[\w-]{43}$/.test(value)) throw new RangeError('not 32 bytes');
    createECDH('prime256v1').setPrivateKey(Buffer.from(value, 'base64url'));
  } catch {
    throw new BadValue('a key made by `navette driver push-key`');
  }
  return value;
};

/** A value of this form, or null when it is empty. */
const optionalForm = (form: RegExp, example: string) => (value: string) => {
  const compact = value.replace(/ /g, '');
  if (compact !== '' && !form.test(compact)) throw new BadValue(example);
  return compact || null;
};

export const optionalMonth = optionalForm(/^\d{4}-(0[1-9]|1[0-2])$/, 'a month such as 2026-11');
export const optionalSiren = optionalForm(/^\d{9}$/, 'a SIREN of nine digits');
export const optionalVatId = optionalForm(/^[A-Z]{2}[A-Z0-9]{2,13}$/, 'a VAT number such as FR40303265045');
export const optionalBic = optionalForm(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'a BIC such as AGRIFRPP');

const ibanForm = optionalForm(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'an IBAN');
/** An IBAN whose check digits are right (ISO 7064, modulo 97). */
export const optionalIban = (value: string) => {
  const iban = ibanForm(value);
  if (iban === null) return null;
  const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (character) => Number.parseInt(character, 36)).join('');
  if (BigInt(digits) % 97n !== 1n) throw new BadValue('an IBAN; its check digits are wrong');
  return iban;
};

/** A list of values that start so, or none. */
export const optionalTokens = (prefix: string) => (value: string) => {
  const list = value.split(',').flatMap((item) => item.trim() || []);
  if (list.some((item) => !item.startsWith(prefix) || !/^\w{16,255}$/.test(item)))
    throw new BadValue(`values such as ${prefix}…, separated by commas`);
  return list;
};

export const optionalStripeKey = optionalForm(/^[sr]k_(test|live)_\w{10,250}$/, 'a secret key such as sk_live_…');

/** A percentage as hundredths of a percent: rates such as 5.5 stay exact. */
export const basisPoints = (value: string) => {
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(value)) throw new BadValue('a percentage from 0 to 99.99 such as 20 or 5.5');
  return Math.round(Number(value) * 100);
};

export const country = (value: string) => {
  const [code, ...others] = countries(value);
  if (code === undefined || others.length > 0) throw new BadValue('a country code of two letters such as FR');
  return code;
};
