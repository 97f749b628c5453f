/** GSM 03.38, the 7-bit alphabet of SMS: a character's index is its code. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

const ESCAPE = 0x1b;
/** Characters that are encoded as an escape and a second code. */
const EXTENDED: Record<string, number> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
};

const CODES = new Map<string, readonly number[]>([
  ...Array.from(BASIC, (character, code): [string, number[]] => [character, [code]]).filter(
    ([, [code]]) => code !== ESCAPE,
  ),
  ...Object.entries(EXTENDED).map(([character, code]): [string, number[]] => [character, [ESCAPE, code]]),
]);

/** The codes of one character, or null when it is not in the alphabet. */
export const gsmCodes = (character: string): readonly number[] | null => CODES.get(character) ?? null;

export const isGsm = (text: string): boolean => Array.from(text).every((character) => CODES.has(character));

const PLAIN: Record<string, string> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  œ: 'oe',
  Œ: 'OE',
  '\u00a0': ' ',
  '\u202f': ' ',
};

/**
 * Replaces characters by similar GSM characters: "Forêt’s" becomes "Foret's". A letter without an equivalent, such as one
 * of another script, stays, and the message then takes more segments.
 */
export function toGsm(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => {
    if (CODES.has(character)) return character;
    if (character in PLAIN) return PLAIN[character];
    const bare = character.normalize('NFD').replaceAll(/\p{M}/gu, '');
    return isGsm(bare) ? bare : character;
  }).join('');
}
