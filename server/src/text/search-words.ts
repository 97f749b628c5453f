import { normalizeText } from './normalize-text.ts';

const MAX_WORDS = 6; // of a name, each searchable on its own
const PHONE_DIGITS = 9; // of a French number without its 0 or +33; the end of longer ones

/** `anne marie petit`, `marie petit`, `petit`: a normalised key from each word on, sorted and without duplicates. */
export function keysFromEachWord(text: string): string[] {
  const words = normalizeText(text).split(' ');
  const tails = words.slice(0, MAX_WORDS).map((_, i) => words.slice(i).join(' '));
  return [...new Set(tails)].filter((key) => key !== '').sort();
}

/** The end of a phone number, the same however it is written; empty when the text has too few digits to be one. */
export function phoneKeyOf(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  return digits.length < 4 ? '' : digits.slice(-PHONE_DIGITS);
}

/** The beginning of a phone key, as a person types it: `06 12`, `+33 6 12`, `0612345678`. */
export function phonePrefixOf(typed: string): string {
  if (/[^\d\s+().-]/.test(typed)) return '';
  const digits = typed
    .trim()
    .replace(/^(\+|00)33/, '')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '');
  return digits.length < 3 ? '' : digits.slice(-PHONE_DIGITS);
}
