import anyAscii from 'any-ascii';
import { oneLine } from '../../../pdf/drawable-text.ts';

/** Latin letters with and without accents: what the printers' built-in font contains in every firmware. */
const OTHER_SCRIPTS = /[^\u{20}-\u{7e}\u{a1}-\u{17f}]/gu;

/** The text in letters that the printer has: other scripts are transliterated. A backslash would break lines. */
export const toPrintable = (text: string): string =>
  oneLine(text)
    .replace(OTHER_SCRIPTS, (character) => anyAscii(character))
    .replaceAll('\\', '/')
    .trim();

const LITERAL = /[A-Za-z0-9 ,.:'()/+-]/;

/** Field data after `^FH`: every byte that could be part of a command, or is not ASCII, as `_` and two hexadecimal digits. */
export const toFieldData = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte);
    return LITERAL.test(character) ? character : `_${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
