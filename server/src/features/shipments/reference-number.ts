import { randomInt } from 'node:crypto';

// No 0/O, 1/I/L, and no U, which sounds like V over the phone: safe to read aloud and to type.
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_LENGTH = 9; // 30^9 is 2 × 10^13: duplicates among 50 million are rare, and a unique index rejects them

/** Random characters, then a check character that detects typing errors. */
export function newReferenceNumber(): string {
  const body = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return body + checkCharacter(body);
}

/** Whether the format and check character are valid. A mistyped reference is rejected without a query. */
export function isReferenceNumber(text: string): boolean {
  if (text.length !== RANDOM_LENGTH + 1 || Array.from(text).some((character) => !ALPHABET.includes(character)))
    return false;
  return checkCharacter(text.slice(0, -1)) === text.at(-1);
}

/**
 * The Luhn algorithm in base 30: any single wrong character, and nearly every swap of neighbours, changes the result.
 */
function checkCharacter(body: string): string {
  const base = ALPHABET.length;
  let sum = 0;
  for (const [i, character] of Array.from(body).reverse().entries()) {
    const value = ALPHABET.indexOf(character) * (i % 2 === 0 ? 2 : 1);
    sum += Math.floor(value / base) + (value % base);
  }
  return ALPHABET[(base - (sum % base)) % base] ?? '';
}
