// No 0/O, 1/I/L, and no U, which sounds like V over the phone: safe to read aloud and to type.
export const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The text and a check character that detects typing errors. All characters are of the alphabet. */
export const withCheckCharacter = (body: string): string => body + checkCharacter(body);

/** Whether a text has this length, characters of the alphabet, and a valid check character at its end. */
export function hasCheckCharacter(text: string, length: number): boolean {
  if (text.length !== length || Array.from(text).some((character) => !ALPHABET.includes(character))) return false;
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
