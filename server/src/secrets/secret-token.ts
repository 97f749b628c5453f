import { hash, randomBytes } from 'node:crypto';
import { thisCell } from '../cells/this-cell.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
const LENGTH = 43; // 32 bytes in base 62, without a character that breaks a double-click selection

/** The beginning of every token for this purpose. It names the product, so that secret scanners recognise leaked ones. */
export const tokenPrefix = (purpose: string): string => `navette_${purpose}_`;

/**
 * A new random token: `navette_<purpose>_<cell>_<random>`, by which a router finds the cell without a query, or
 * `navette_<purpose>_<random>` in an installation without cells. The random part contains no underscore.
 */
export function newSecretToken(purpose: string): string {
  let number = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  let text = '';
  for (let i = 0; i < LENGTH; i++) {
    text = ALPHABET[Number(number % 62n)] + text;
    number /= 62n;
  }
  const cell = thisCell();
  return tokenPrefix(purpose) + (cell === null ? '' : `${cell}_`) + text;
}

/** SHA-256 in hex, which is stored and looked up instead of the token. */
export const hashSecretToken = (token: string): string => hash('sha256', token, 'hex');
