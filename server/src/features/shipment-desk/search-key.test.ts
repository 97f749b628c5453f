import { expect, test } from 'vitest';
import { keysOf, searchKey } from './search-key.ts';

test.each([
  ['  Zoé  MARTIN ', 'zoe martin'],
  ['L’Haÿ-les-Roses', 'l hay les roses'],
  ['#2041/A', '2041 a'],
  ['Œuvre', 'oeuvre'],
  ['山田', '山田'],
  ['<script>', 'script'],
  ['…', ''],
])('%j is looked for as %j', (typed, key) => {
  expect(searchKey(typed)).toBe(key);
});

test('a name is found by each of its words, an order by its beginning', () => {
  const shipment = { orderId: 'A-12', referenceNumber: 'K7M2', recipientName: 'Anne Marie Petit', city: 'Lyon' };
  expect(keysOf(shipment)).toEqual([
    ['order', 'a 12'],
    ['reference', 'k7m2'],
    ['recipient', 'anne marie petit'],
    ['recipient', 'marie petit'],
    ['recipient', 'petit'],
    ['town', 'lyon'],
  ]);
});

test('a name of a thousand words has six keys, and none is longer than an index takes', () => {
  const keys = keysOf({
    orderId: null,
    referenceNumber: 'R',
    recipientName: 'ab '.repeat(1_000),
    city: 'é'.repeat(500),
  });
  expect(keys.length).toBeLessThanOrEqual(8);
  for (const [, key] of keys) expect(key.length).toBeLessThanOrEqual(60);
});

test.each([29, 30, 31])(
  'a key that is cut ends with a whole character: %i of two halves each, behind a letter',
  (many) => {
    const key = searchKey(`a${'𠀀'.repeat(many)}z`);
    expect(key.isWellFormed()).toBe(true);
    expect(key.length).toBeGreaterThan(58);
  },
);
