import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDrawable } from './drawable-text.ts';
import { FACES } from './fonts.ts';
import { fitText, shorten, widthOf } from './text-block.ts';
import { toPieces } from './visual-order.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 });
const onTheLine = (line: string) => toPieces(line, 'bold').map(({ text }) => text);

describe('the text that is drawn', () => {
  test.each([
    ['Zoé Łukasz Ωνάσης Щербаков', 'Zoé Łukasz Ωνάσης Щербаков'],
    ['Zoe\u0301', 'Zoé'],
    ['  two\n\tlines ', 'two lines'],
    ['北京市', 'BeiJingShi'],
    ['👩‍👩‍👧 📦', '👩👩👧 📦'],
    ['a\u0000b\u202Ec\uD800', 'abc'],
  ])('%s is drawn as %s', (given, drawn) => expect(toDrawable(given, 'bold')).toBe(drawn));

  test('whatever is given, every character drawn has a glyph: no boxes', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { face, text: piece } of toPieces(toDrawable(text, 'bold'), 'bold'))
          for (const character of piece) expect(face.covers(character.codePointAt(0) as number)).toBe(true);
      }),
      { numRuns: 2_000, examples: [['\u{fe70}\u{22a6}\u{10107}']] }, // the font has the sign, but not its mirror image
    );
  });

  test('right-to-left words are laid out from the right, numbers and Latin words in them are not turned', () => {
    expect(onTheLine('Zoé Martin')).toEqual(['Zoé Martin']);
    expect(onTheLine('محمد القاسمي')).toEqual(['القاسمي', ' ', 'محمد']);
    expect(onTheLine('66 محمد Paris').join('')).toBe('66 محمد Paris');
  });
});

describe('a block of text', () => {
  const sizes = [6, 5, 4, 3, 2, 1];

  test('never leaves its width, loses no character, and keeps their order', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 10, max: 90 }), (text, width) => {
        const block = fitText(text, 'bold', sizes, width, 20);
        const tooWide = block.lines.filter((line) => {
          const isOneCharacter = Array.from(new Intl.Segmenter('fr').segment(line)).length === 1;
          return !isOneCharacter && (widthOf(line, 'bold') * block.size) / 1000 > width + 0.01;
        });
        expect(tooWide).toEqual([]);
        expect(block.lines.join('').replaceAll(' ', '')).toBe(toDrawable(text, 'bold').replaceAll(' ', ''));
      }),
      { numRuns: 2_000 },
    );
  });

  test('breaks at spaces and after hyphens; takes a smaller size rather than cut a word', () => {
    const town = fitText('Saint-Remy-en-Bouzemont-Saint-Genest-et-Isson', 'bold', [9, 6], 92, 60);
    expect(town).toMatchObject({ cutsWord: false, size: 9 });
    expect(town.lines.slice(0, -1).every((line) => line.endsWith('-'))).toBe(true);
    expect(fitText('Wolfeschlegelsteinhausen', 'bold', [9, 4], 60, 60)).toMatchObject({ size: 4, cutsWord: false });
  });

  test('cut text ends with an ellipsis', () => {
    const long = fitText('mot '.repeat(500), 'regular', [3], 92, 10);
    const short = shorten(long, 10);
    expect(short.height).toBeLessThanOrEqual(10);
    expect(short.lines.at(-1)).toMatch(/…$/);
    expect((widthOf(short.lines.at(-1) as string, 'regular') * 3) / 1000).toBeLessThanOrEqual(92);
  });
});

describe('a font subset', () => {
  test('has the outlines and widths of the font it was taken from, composed letters included', async () => {
    const { create } = await import('fontkit');
    for (const { font } of Object.values(FACES)) {
      const characters = Array.from('AÉÿŁẶ Ωщيß🎉').map((character) =>
        font.glyphForCodePoint(character.codePointAt(0) as number),
      );
      const subset = font.createSubset();
      const numbers = characters.map((glyph) => subset.includeGlyph(glyph.id as never) as unknown as number);
      const small = create(Buffer.from(subset.encode())) as typeof font;
      for (const [i, glyph] of characters.entries()) {
        const copy = small.getGlyph(numbers[i] as number);
        expect(copy.path.toSVG()).toBe(glyph.path.toSVG());
        expect(copy.advanceWidth).toBe(glyph.advanceWidth);
      }
    }
  });
});
