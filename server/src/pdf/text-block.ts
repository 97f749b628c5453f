import { LRUCache } from 'lru-cache';
import { toDrawable } from './drawable-text.ts';
import { FACES, type Weight } from './fonts.ts';
import { toPieces } from './visual-order.ts';

const LEADING = 1.16; // line height in font sizes

/** A text broken into lines for one width and size. */
export interface TextBlock {
  lines: string[];
  weight: Weight;
  size: number;
  height: number;
  /** A word was longer than a line and had to be cut. */
  cutsWord: boolean;
}

/** The largest of the sizes at which the text fits, preferring one at which no word is cut. */
export function fitText(text: string, weight: Weight, sizes: number[], width: number, height: number): TextBlock {
  const parts = measure(text, weight);
  let fitting: TextBlock | undefined;
  let block: TextBlock | undefined;
  for (const size of sizes) {
    block = breakLines(parts, weight, size, width);
    if (block.height > height) continue;
    if (!block.cutsWord) return block;
    fitting ??= block;
  }
  return fitting ?? (block as TextBlock);
}

/** Cuts the text to the height and ends it with an ellipsis if anything was cut. */
export function shorten(block: TextBlock, height: number): TextBlock {
  const most = Math.max(1, Math.floor(height / (block.size * LEADING)));
  if (block.lines.length <= most) return block;
  const lines = block.lines.slice(0, most);
  lines[most - 1] = `${Array.from(lines[most - 1] as string)
    .slice(0, -2)
    .join('')
    .trimEnd()}…`;
  return { ...block, lines, height: most * block.size * LEADING };
}

/** In thousandths of the font size. */
export function widthOf(drawable: string, weight: Weight): number {
  return toPieces(drawable, weight).reduce((sum, { face, text }) => sum + face.widthOf(text), 0);
}

/** A word up to the next possible line break: after a space, which is dropped at the end of a line, or after a hyphen. */
interface Part {
  word: string;
  width: number;
  space: string;
}

const TEXTS = 5_000; // cached: senders, streets and notes repeat from label to label
const measured = new LRUCache<string, Part[]>({ max: TEXTS });

/** Measures once for all sizes. */
function measure(text: string, weight: Weight): Part[] {
  const key = `${weight} ${text}`;
  const known = measured.get(key) ?? measureParts(text, weight);
  measured.set(key, known);
  return known;
}

function measureParts(text: string, weight: Weight): Part[] {
  const parts = toDrawable(text, weight).match(/[^\s/-]*[/-]+ ?|[^\s/-]+ ?/gu) ?? [];
  return parts.map((part) => {
    const word = part.trimEnd();
    return { word, width: widthOf(word, weight), space: part.slice(word.length) };
  });
}

function breakLines(parts: Part[], weight: Weight, size: number, width: number): TextBlock {
  const available = (width * 1000) / size;
  const space = FACES[weight].widthOf(' ');
  const lines: string[] = [];
  let line = '';
  let used = 0;
  let cutsWord = false;
  const endLine = () => {
    if (line !== '') lines.push(line.trimEnd());
    line = '';
    used = 0;
  };
  for (const part of parts) {
    if (used + part.width > available) endLine();
    if (part.width > available) {
      const [rest, ...full] = cut(part.word, weight, available).reverse();
      lines.push(...full.reverse());
      line = rest ?? '';
      used = widthOf(line, weight);
      cutsWord = true;
    } else {
      line += part.word;
      used += part.width;
    }
    line += part.space;
    used += part.space === '' ? 0 : space;
  }
  endLine();
  return { lines, weight, size, height: lines.length * size * LEADING, cutsWord };
}

const graphemes = new Intl.Segmenter('fr', { granularity: 'grapheme' });

function cut(word: string, weight: Weight, available: number): string[] {
  const pieces = [''];
  let used = 0;
  for (const { segment } of graphemes.segment(word)) {
    const width = widthOf(segment, weight);
    if (used + width > available && pieces.at(-1) !== '') {
      pieces.push('');
      used = 0;
    }
    pieces[pieces.length - 1] += segment;
    used += width;
  }
  return pieces;
}
