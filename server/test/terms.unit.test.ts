import { readFile } from 'node:fs/promises';
import type { Language } from '@navette/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ProductTexts, readProductTexts } from './product-texts.ts';

interface Term {
  meaning: string;
  terms: Record<Language, string>;
  /** Names of texts, where a star stands for any characters. */
  places: string[];
}

const LANGUAGES = ['fr', 'en'] as const;
const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

let terms: Term[];
let forbidden: { language: Language; word: string }[];
let texts: ProductTexts;

beforeAll(async () => {
  const rows = (await readFile(new URL('../../docs/terms.md', import.meta.url), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
  terms = rows
    .filter(({ length, 3: where }) => length === 4 && where !== 'Where')
    .map(([meaning = '', fr = '', en = '', where = '']) => ({
      meaning,
      terms: { fr, en },
      places: [...where.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string),
    }));
  forbidden = rows
    .filter(({ length, 0: language }) => length === 3 && language !== 'Language')
    .map(([language, word = '']) => ({ language: language === 'French' ? 'fr' : 'en', word }));
  texts = readProductTexts();
});

const matching = (place: string) => {
  const pattern = new RegExp(`^${place.split('*').map(escapePattern).join('.*')}$`);
  return Object.keys(texts).filter((name) => pattern.test(name));
};

describe('the table of terms', () => {
  test('names a term in both languages and at least one text for each row', () => {
    expect(terms.length).toBeGreaterThan(30);
    expect(forbidden.length).toBeGreaterThan(20);
    for (const { meaning, terms: both, places } of terms) {
      expect({ meaning, ...both }).toEqual({ meaning, fr: expect.stringMatching(/./), en: expect.stringMatching(/./) });
      expect(places, meaning).not.toEqual([]);
    }
  });

  test('names texts that exist', () => {
    const unknown = terms.flatMap(({ places }) => places.filter((place) => matching(place).length === 0));
    expect(unknown).toEqual([]);
  });

  test('names the state of a shipment on every surface that shows one', () => {
    const named = new Set(terms.flatMap(({ places }) => places.flatMap(matching)));
    const states = /^(dashboard:common\.statuses|dashboard:shipment\.happened|page:steps|page:contactSteps|export)[.:]/;
    expect(Object.keys(texts).filter((name) => states.test(name) && !named.has(name))).toEqual([]);
  });
});

describe.each(LANGUAGES)('product texts in %s', (language) => {
  const lower = (text: string) => text.toLocaleLowerCase(language).replaceAll(/[\u00a0\u202f]/g, ' ');

  test('use the term of the table for each state, act and actor', () => {
    const wrong = terms.flatMap(({ terms: both, places }) =>
      places.flatMap(matching).flatMap((name) => {
        const text = texts[name]?.[language];
        return text === undefined || lower(text).includes(lower(both[language]))
          ? []
          : [{ name, term: both[language], text }];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('use none of the terms that the table replaces', () => {
    const wrong = forbidden
      .filter((entry) => entry.language === language)
      .flatMap(({ word }) => {
        const pattern = new RegExp(`(?<!\\p{L})${escapePattern(word).replace('\\(s\\)', 's?')}`, 'u');
        const uses = Object.entries(texts).filter(
          ([, { [language]: text }]) => text !== undefined && pattern.test(lower(text)),
        );
        return uses.map(([name, { [language]: text }]) => ({ name, word, text }));
      });
    expect(wrong).toEqual([]);
  });
});
