import { readFile } from 'node:fs/promises';
import type { AddressSuggestion } from '@navette/contract';
import { TOWNS_FILE, writeName } from './main-towns.ts';
import { readTowns } from './town-index.ts';
import { normalizeTownName } from './town-name.ts';

const MOST = 8;

interface ListedTown {
  postalCode: string;
  name: string;
}

/** Towns of France whose postal code or name begins with the text, offline. Short names first: the text names most of them. */
export function createTownCompletion(): (text: string) => Promise<AddressSuggestion[]> {
  let towns: Promise<ListedTown[]> | undefined;
  return async (text) => {
    towns ??= listTowns().catch((error: unknown) => {
      towns = undefined; // the next query reads the file again
      throw error;
    });
    const listed = await towns;
    const digits = text.replaceAll(/\s/g, '');
    const isPostalCode = /^\d{2,5}$/.test(digits);
    const name = normalizeTownName(text);
    if (!isPostalCode && name.length < 2) return [];
    return listed
      .filter((town) => (isPostalCode ? town.postalCode.startsWith(digits) : town.name.startsWith(name)))
      .slice(0, MOST)
      .map((town) => ({ street: null, postalCode: town.postalCode, city: writeName(town.name), coordinates: null }));
  };
}

async function listTowns(): Promise<ListedTown[]> {
  const areas = readTowns(await readFile(TOWNS_FILE, 'utf8'));
  return [...areas]
    .flatMap(([postalCode, { towns }]) => [...towns.keys()].map((name) => ({ postalCode, name })))
    .toSorted((a, b) => a.name.length - b.name.length || (a.postalCode < b.postalCode ? -1 : 1));
}
