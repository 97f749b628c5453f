import { readFile } from 'node:fs/promises';
import { readTowns } from './town-index.ts';

export interface MainTown {
  name: string;
  latitude: number;
  longitude: number;
}

export const TOWNS_FILE = new URL('./towns.tsv', import.meta.url);
const SMALL_WORDS = new Set(['d', 'de', 'des', 'du', 'en', 'et', 'l', 'la', 'le', 'les', 'lez', 'sous', 'sur', 'aux']);

/**
 * The largest town of every postal code, the most important first. French postal codes tell the rank: those of
 * prefectures end with 000, those of other sorting offices with 00.
 */
export async function readMainTowns(): Promise<MainTown[]> {
  const towns = new Map<string, MainTown & { rank: number }>();
  for (const [postalCode, area] of readTowns(await readFile(TOWNS_FILE, 'utf8'))) {
    const [[name = '', { latitude, longitude }] = ['', area.largest]] = area.towns;
    const rank = postalCode.endsWith('000') ? 0 : postalCode.endsWith('00') ? 1 : postalCode.endsWith('0') ? 2 : 3;
    const key = `${postalCode.slice(0, 2)} ${name}`; // once for all districts of a town
    const known = towns.get(key);
    if (!known || known.rank > rank) {
      towns.set(key, { name: writeName(name), latitude, longitude, rank });
    }
  }
  return [...towns.values()]
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ name, latitude, longitude }) => ({ name, latitude, longitude }));
}

/** The largest town of every postal code, by the code. */
export async function readPostalTowns(): Promise<Map<string, string>> {
  const areas = readTowns(await readFile(TOWNS_FILE, 'utf8'));
  return new Map([...areas].map(([postalCode, { towns }]) => [postalCode, writeName([...towns.keys()][0] ?? '')]));
}

/** `bourg en bresse` becomes `Bourg-en-Bresse`; the list has no accents. */
export const writeName = (name: string): string =>
  name
    .split(' ')
    .map((word, i) => (i > 0 && SMALL_WORDS.has(word) ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('-');
