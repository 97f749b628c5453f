import anyAscii from 'any-ascii';
import { FACES, type Weight } from './fonts.ts';

const graphemes = new Intl.Segmenter('fr', { granularity: 'grapheme' });

/**
 * The text as it can be drawn: one line, in normalised form, without invisible characters, and with scripts that no font
 * covers transliterated to Latin, so that a driver can read the name aloud and no replacement box is printed.
 */
export function toDrawable(text: string, weight: Weight): string {
  const line = oneLine(text);
  if (everyCharacterIsCovered(line, weight)) return line;
  const letters = Array.from(graphemes.segment(line), ({ segment }) => drawableGrapheme(segment, weight));
  return letters.join('').replace(/\s+/g, ' ').trim();
}

/** The original text on one line, for search and copy in the PDF. */
export const oneLine = (text: string): string =>
  text.normalize('NFC').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim();

/** Control characters other than white space, lone surrogates, and marks that only affect the layout. */
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cs}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}]/gu;

/** Variation selectors, tags and joiners, which have no glyph. */
const JOINERS = /[\u{fe00}-\u{fe0f}\u{e0020}-\u{e007f}]|\u{200c}|\u{200d}/gu;

function everyCharacterIsCovered(text: string, weight: Weight): boolean {
  for (const character of text) {
    if (!FACES[weight].covers(character.codePointAt(0) as number)) return false;
  }
  return true;
}

function drawableGrapheme(grapheme: string, weight: Weight): string {
  if (everyCharacterIsCovered(grapheme, weight)) return grapheme;
  const shapes = grapheme.replace(JOINERS, '');
  const characters = Array.from(shapes);
  const covered = (face: Weight | 'emoji') =>
    characters.every((character) => FACES[face].covers(character.codePointAt(0) as number));
  return covered(weight) || covered('emoji') ? shapes : anyAscii(shapes);
}
