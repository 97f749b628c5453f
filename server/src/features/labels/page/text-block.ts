import { LRUCache } from 'lru-cache';
import { toDrawable } from './drawable-text.ts';
import { FACES, type Weight } from './fonts.ts';
import { toPieces } from './visual-order.ts';

const LEADING = 1.16; // from line to line, in font sizes

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

/** As much as there is room for; what is left out is owned up to with an ellipsis. */
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

/** A word up to where a line may end: after a space, which a line's end swallows, or after a hyphen. */
interface Part {
  word: string;
  width: number;
  space: string;
}

const TEXTS = 5_000; // senders, streets and notes come back from label to label
const measured = new LRUCache<string, Part[]>({ max: TEXTS });

/** Measured once, whatever sizes are tried. */
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
  const room = (width * 1000) / size;
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
    if (used + part.width > room) endLine();
    if (part.width > room) {
      const [rest, ...full] = cut(part.word, weight, room).reverse();
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

function cut(word: string, weight: Weight, room: number): string[] {
  const pieces = [''];
  let used = 0;
  for (const { segment } of graphemes.segment(word)) {
    const width = widthOf(segment, weight);
    if (used + width > room && pieces.at(-1) !== '') {
      pieces.push('');
      used = 0;
    }
    pieces[pieces.length - 1] += segment;
    used += width;
  }
  return pieces;
}
