import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font, type GlyphRun } from 'fontkit';
import { LRUCache } from 'lru-cache';
import { readTrueType } from './font-subset.ts';

/**
 * The font faces of a label. DejaVu covers Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian and Georgian; Noto Emoji
 * covers emoji, which occur in names.
 */
export interface Face {
  name: 'regular' | 'bold' | 'emoji';
  font: Font;
  /** Whether it has a glyph for the character. */
  covers(codePoint: number): boolean;
  /** The width of a text in this face, in thousandths of the font size. */
  widthOf(text: string): number;
}

const WORDS = 20_000; // cached shaped words: towns, streets and first names repeat
const require = createRequire(import.meta.url);

function openFace(name: Face['name'], file: string): Face {
  const bytes = readFileSync(file);
  const font = create(bytes) as Font;
  font.createSubset = readTrueType(bytes) as unknown as Font['createSubset'];
  const shape = cacheShapes(font);
  // pdfkit scales positions in place, so each call gets a copy.
  font.layout = (text) => {
    const { glyphs, positions, advanceWidth } = shape(text);
    return { glyphs, positions: positions.map((position) => ({ ...position })), advanceWidth } as GlyphRun;
  };
  const { unitsPerEm } = font;
  const covered = new Map<number, boolean>();
  return {
    name,
    font,
    covers(codePoint) {
      const known = covered.get(codePoint);
      if (known !== undefined) return known;
      const covers = font.hasGlyphForCodePoint(codePoint);
      covered.set(codePoint, covers);
      return covers;
    },
    widthOf(text) {
      const words = text.match(/[^ ]* |[^ ]+/g) ?? []; // split as pdfkit does, so that both use the same cache entries
      const units = words.reduce((sum, word) => sum + shape(word).advanceWidth, 0);
      return (units * 1000) / unitsPerEm;
    },
  };
}

/** Shaping a word is the most expensive part of drawing, and words repeat from label to label. */
function cacheShapes(font: Font): (word: string) => GlyphRun {
  const shape = font.layout.bind(font);
  const shapes = new LRUCache<string, GlyphRun>({ max: WORDS });
  return (word) => {
    const known = shapes.get(word);
    if (known) return known;
    const run = shape(word);
    shapes.set(word, run);
    return run;
  };
}

export const FACES = {
  regular: openFace('regular', require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf')),
  bold: openFace('bold', require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')),
  emoji: openFace('emoji', require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf')),
} as const;

export type Weight = 'regular' | 'bold';
