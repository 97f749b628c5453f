import { hash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
const LENGTH = 43; // 32 bytes in base 62, without a character that breaks a double-click selection

/** A new random token. The prefix names product and purpose, so that secret scanners recognise leaked ones. */
export function newSecretToken(prefix: string): string {
  let number = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  let text = '';
  for (let i = 0; i < LENGTH; i++) {
    text = ALPHABET[Number(number % 62n)] + text;
    number /= 62n;
  }
  return prefix + text;
}

/** SHA-256 in hex, which is stored and looked up instead of the token. */
export const hashSecretToken = (token: string): string => hash('sha256', token, 'hex');
