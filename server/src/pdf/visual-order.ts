import bidiFactory from 'bidi-js';
import { FACES, type Face, type Weight } from './fonts.ts';

/** A part of a line in one font, drawn with one call. */
export interface Piece {
  face: Face;
  text: string;
}

// The types describe another build of the package than the one that Node loads.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
/** The characters of nearly every line; all fonts cover them. */
const LATIN = /^[\x20-\x7e\u{a0}-\u{17f}]*$/u;
const RIGHT_TO_LEFT = /[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{fefc}]/u;

/** Splits a drawable line into pieces, in visual order from left to right. */
export function toPieces(line: string, weight: Weight): Piece[] {
  if (!RIGHT_TO_LEFT.test(line)) return byFace(line, weight);
  const { levels } = bidi.getEmbeddingLevels(line, 'ltr'); // the label is French, so the base direction is left to right
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const shown = (i: number) => {
    const mirror = mirrored.get(i);
    return mirror && FACES[weight].covers(mirror.codePointAt(0) as number) ? mirror : line[i]; // a wrong way round is better than a box
  };
  const runs = sameDirection(line, levels).map(({ start, end, level }) => ({
    level,
    text: Array.from({ length: end - start }, (_, i) => shown(start + i)).join(''),
  }));
  return inVisualOrder(runs).flatMap(({ text }) => byFace(text, weight));
}

interface Run {
  text: string;
  level: number;
}

/** Runs of one embedding level. Right-to-left runs are split into words, because shaping reverses only within a call. */
function sameDirection(line: string, levels: Uint8Array): { start: number; end: number; level: number }[] {
  const runs: { start: number; end: number; level: number }[] = [];
  for (let i = 0; i < line.length; i++) {
    const level = levels[i] ?? 0;
    const last = runs.at(-1);
    const isRightToLeft = level % 2 === 1;
    const cut = isRightToLeft && (line[i] === ' ' || line[i - 1] === ' ');
    if (last && last.level === level && !cut) last.end = i + 1;
    else runs.push({ start: i, end: i + 1, level });
  }
  return runs;
}

/** Rule L2 of the Unicode bidirectional algorithm: from the highest level down, reverses every run at that level or higher. */
function inVisualOrder(runs: Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(...ordered.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
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
