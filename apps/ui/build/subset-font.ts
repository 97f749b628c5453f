/**
 * Writes the two files of the font that the dashboard bundles: `npm run font --workspace apps/ui`. The first has the characters
 * of French and English; a browser loads the second only for a name such as Łukasz or Đặng.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const between = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join('');

/** ASCII, the accented letters of western Europe, and the marks that the texts use. */
const BASIC = `${between(0x20, 0x7e)}${between(0xc0, 0xff)}\u00a0\u202f«»°·§€£©®±²³½×–—‘’“”…•−ŒœŸ→←`;

/** Latin letters of other languages, without those of the first file. */
const EXTENDED = `${between(0x100, 0x17f)}${between(0x1e00, 0x1eff)}ƏơƠưƯȘșȚțẞ`.replaceAll(/[ŒœŸ]/g, '');

/** The weights that the apps use, and figures of one width for tables. */
const OPTIONS = {
  targetFormat: 'woff2' as const,
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ['tnum', 'ccmp', 'locl', 'mark'], // kerning would take a sixth of the file
};

export const FONT_FILES = [
  { name: 'inter.woff2', source: 'latin', characters: BASIC },
  { name: 'inter-extended.woff2', source: 'latin-ext', characters: EXTENDED },
] as const;

export const fontPath = (name: string): URL => new URL(`../src/fonts/${name}`, import.meta.url);

/** The same bytes at every run. */
export async function subset({ source, characters }: (typeof FONT_FILES)[number]): Promise<Buffer> {
  const url = import.meta.resolve(`@fontsource-variable/inter/files/inter-${source}-wght-normal.woff2`);
  return subsetFont(await readFile(fileURLToPath(url)), characters, OPTIONS);
}

/** For `unicode-range`: U+100-17F, U+1E00-1EFF. */
export function rangesOf(characters: string): string {
  const points = [...new Set(characters)].map((character) => character.codePointAt(0) ?? 0).toSorted((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const point of points) {
    const last = ranges.at(-1);
    if (last && last[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  const hex = (point: number) => point.toString(16).toUpperCase();
  return ranges.map(([first, last]) => `U+${hex(first)}${last > first ? `-${hex(last)}` : ''}`).join(', ');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of FONT_FILES) {
    const bytes = await subset(file);
    await writeFile(fontPath(file.name), bytes);
    // biome-ignore lint/suspicious/noConsole: the output of the command
    console.log(`${file.name}: ${bytes.length} bytes, unicode-range: ${rangesOf(file.characters)}`);
  }
}
