import { randomInt } from 'node:crypto';
import { ALPHABET, hasCheckCharacter, withCheckCharacter } from '../../text/check-character.ts';

const RANDOM_LENGTH = 9; // 30^9 is 2 × 10^13: duplicates among 50 million are rare, and a unique index rejects them

/** Random characters, then a check character that detects typing errors. */
export const newReferenceNumber = (): string =>
  withCheckCharacter(Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''));

/** Whether the format and check character are valid. A mistyped reference is rejected without a query. */
export const isReferenceNumber = (text: string): boolean => hasCheckCharacter(text, RANDOM_LENGTH + 1);
