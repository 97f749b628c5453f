import { hash, randomBytes } from 'node:crypto';

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

/** SHA-256 in hex: what is stored and looked up instead of the key. */
export const hashApiKey = (key: string): string => hash('sha256', key, 'hex');

/** Enough for a person to tell keys apart, useless to anyone else. */
export const hintOf = (key: string): string => key.slice(-4);
