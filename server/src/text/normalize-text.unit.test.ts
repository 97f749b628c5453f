import { expect, test } from 'vitest';
import { normalizeText } from './normalize-text.ts';

test.each([
  ['  Zoé  MARTIN ', 'zoe martin'],
  ['L’Haÿ-les-Roses', 'l hay les roses'],
  ['#2041/A', '2041 a'],
  ['Œuvre', 'oeuvre'],
  ['山田', '山田'],
  ['<script>', 'script'],
  ['…', ''],
])('%j is compared as %j', (typed, key) => {
  expect(normalizeText(typed)).toBe(key);
});

test.each([29, 30, 31])('a text that is cut ends with a whole character: %i surrogate pairs after a letter', (many) => {
  const key = normalizeText(`a${'𠀀'.repeat(many)}z`);
  expect(key.isWellFormed()).toBe(true);
  expect(key.length).toBeGreaterThan(58);
});
