import { hash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
const LENGTH = 43; // 32 bytes in base 62, without a character that breaks a double-click selection

/** A secret that somebody carries. The prefix names product and purpose, so that a scanner recognises a leaked one. */
export function newSecretToken(prefix: string): string {
  let number = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  let text = '';
  for (let i = 0; i < LENGTH; i++) {
    text = ALPHABET[Number(number % 62n)] + text;
    number /= 62n;
  }
  return prefix + text;
}

/** SHA-256 in hex: what is stored and looked up instead of the secret. */
export const hashSecretToken = (token: string): string => hash('sha256', token, 'hex');
