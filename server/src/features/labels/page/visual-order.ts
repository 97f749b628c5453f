import bidiFactory from 'bidi-js';
import { FACES, type Face, type Weight } from './fonts.ts';

/** A stretch of a line in one face, to be drawn at once. */
export interface Piece {
  face: Face;
  text: string;
}

// Its types describe another build of the package than the one that Node loads.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
/** What nearly every line is made of, and the fonts have all of. */
const LATIN = /^[\x20-\x7e\u{a0}-\u{17f}]*$/u;
const RIGHT_TO_LEFT = /[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{fefc}]/u;

/** A drawable line cut into pieces, from left to right as the eye meets them. */
export function toPieces(line: string, weight: Weight): Piece[] {
  if (!RIGHT_TO_LEFT.test(line)) return byFace(line, weight);
  const { levels } = bidi.getEmbeddingLevels(line, 'ltr'); // the label is French: so is the order of its fields' parts
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const stretches = sameDirection(line, levels).map(({ start, end, level }) => ({
    level,
    text: Array.from({ length: end - start }, (_, i) => mirrored.get(start + i) ?? line[start + i]).join(''),
  }));
  return inVisualOrder(stretches).flatMap(({ text }) => byFace(text, weight));
}

interface Stretch {
  text: string;
  level: number;
}

/** Stretches of one embedding level; from right to left a word at a time, because a face turns only what it is given. */
function sameDirection(line: string, levels: Uint8Array): { start: number; end: number; level: number }[] {
  const stretches: { start: number; end: number; level: number }[] = [];
  for (let i = 0; i < line.length; i++) {
    const level = levels[i] ?? 0;
    const last = stretches.at(-1);
    const isRightToLeft = level % 2 === 1;
    const cut = isRightToLeft && (line[i] === ' ' || line[i - 1] === ' ');
    if (last && last.level === level && !cut) last.end = i + 1;
    else stretches.push({ start: i, end: i + 1, level });
  }
  return stretches;
}

/** Unicode's rule L2: from the deepest level up, whatever lies at that level or deeper is turned round. */
function inVisualOrder(stretches: Stretch[]): Stretch[] {
  const ordered = [...stretches];
  const deepest = Math.max(...ordered.map(({ level }) => level));
  for (let level = deepest; level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end++;
      if (end === start) continue;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}

function byFace(text: string, weight: Weight): Piece[] {
  if (LATIN.test(text)) return [{ face: FACES[weight], text }];
  const pieces: Piece[] = [];
  for (const character of text) {
    const face = FACES[weight].covers(character.codePointAt(0) as number) ? FACES[weight] : FACES.emoji;
    const last = pieces.at(-1);
    if (last?.face === face) last.text += character;
    else pieces.push({ face, text: character });
  }
  return pieces;
}
