import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'navette_key_'; // names the product, so that a scanner recognises a leaked key
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
const LENGTH = 43; // 32 bytes in base 62, without a character that breaks a double-click selection

export function newApiKey(): string {
  let number = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  let text = '';
  for (let i = 0; i < LENGTH; i++) {
    text = ALPHABET[Number(number % 62n)] + text;
    number /= 62n;
  }
  return PREFIX + text;
}

export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Enough for a person to tell keys apart, useless to anyone else. */
export const hintOf = (key: string): string => key.slice(-4);
