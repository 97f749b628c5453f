import { randomInt } from 'node:crypto';
import { thisCell } from '../../cells/this-cell.ts';
import { ALPHABET, hasCheckCharacter, withCheckCharacter } from '../../text/check-character.ts';

// A unique index rejects duplicates, which are rare: 30^9 is 2 × 10^13, 30^8 is 7 × 10^11 for each cell.
const RANDOM_CHARACTERS = { withoutCell: 9, inCell: 8 };
const LENGTHS = [10, 11];

/**
 * The cell, if there is one, random characters, and a check character that detects typing errors. The length tells a router
 * whether the first two characters are a cell.
 */
export function newReferenceNumber(): string {
  const cell = thisCell();
  const length = cell === null ? RANDOM_CHARACTERS.withoutCell : RANDOM_CHARACTERS.inCell;
  const random = Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return withCheckCharacter((cell ?? '') + random);
}

/** Whether the format and check character are valid. A mistyped reference is rejected without a query. */
export const isReferenceNumber = (text: string): boolean => LENGTHS.some((length) => hasCheckCharacter(text, length));
