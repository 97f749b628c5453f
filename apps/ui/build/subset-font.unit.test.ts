import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { FONT_FILES, fontPath, rangesOf, subset } from './subset-font.ts';

const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

describe.each(FONT_FILES)('$name', (file) => {
  test('is what the package of the font gives today', async () => {
    expect((await subset(file)).equals(await readFile(fontPath(file.name)))).toBe(true);
  });

  test('is loaded for exactly the characters that it has', async () => {
    const css = flat(await readFile(fontPath('inter.css'), 'utf8'));
    const rule = css.split('@font-face').find((part) => part.includes(`"./${file.name}"`));
    expect(rule).toContain(`unicode-range: ${rangesOf(file.characters)};`);
  });
});

test('the first file has every letter of French, and no character is in both', () => {
  const [basic, extended] = FONT_FILES.map(({ characters }) => new Set(characters));
  for (const letter of 'àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ€«»’…') expect(basic?.has(letter), letter).toBe(true);
  expect([...(basic ?? [])].filter((character) => extended?.has(character))).toEqual([]);
});
