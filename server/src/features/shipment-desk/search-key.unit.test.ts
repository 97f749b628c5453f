import { expect, test } from 'vitest';
import { keysOf } from './search-key.ts';

test('a name is found by each of its words, an order by its beginning', () => {
  const shipment = {
    orderId: 'A-12',
    referenceNumber: 'K7M2',
    recipientName: 'Anne Marie Petit',
    city: 'Lyon',
    phoneNumber: '+33 6 12 34 56 78',
  };
  expect(keysOf(shipment)).toEqual([
    ['order', 'a 12'],
    ['reference', 'k7m2'],
    ['recipient', 'anne marie petit'],
    ['recipient', 'marie petit'],
    ['recipient', 'petit'],
    ['town', 'lyon'],
    ['phone', '612345678'],
  ]);
});

test('a name of a thousand words has six keys, and none is longer than the index allows', () => {
  const keys = keysOf({
    orderId: null,
    referenceNumber: 'R',
    recipientName: 'ab '.repeat(1_000),
    city: 'é'.repeat(500),
    phoneNumber: '1'.repeat(500),
  });
  expect(keys.length).toBeLessThanOrEqual(9);
  for (const [, key] of keys) expect(key.length).toBeLessThanOrEqual(60);
});
