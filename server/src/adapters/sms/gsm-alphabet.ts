/** GSM 03.38, the alphabet of one-segment messages: a character's place is its code. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

const ESCAPE = 0x1b;
/** Each takes an escape and the code of another character. */
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

/** The codes of one character, or null when the alphabet does not have it. */
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
 * The same text in GSM characters where there are near ones: "Forêt’s" becomes "Foret's". A letter without any, as of
 * another script, stays, and the message then costs more segments.
 */
export function toGsm(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => {
    if (CODES.has(character)) return character;
    if (character in PLAIN) return PLAIN[character];
    const bare = character.normalize('NFD').replaceAll(/\p{M}/gu, '');
    return isGsm(bare) ? bare : character;
  }).join('');
}
