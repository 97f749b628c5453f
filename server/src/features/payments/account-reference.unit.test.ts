import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALPHABET } from '../../text/check-character.ts';
import { formatAccountReference, parseAccountReference } from './account-reference.ts';

const anyNumber = fc.integer({ min: 1, max: ALPHABET.length ** 5 - 1 });

test('every account number has one reference, which reads back in either case and with spaces', () => {
  fc.assert(
    fc.property(anyNumber, (number) => {
      const reference = formatAccountReference(number);
      expect(reference).toMatch(/^NV[2-9A-Z]{6}$/);
      expect(parseAccountReference(reference)).toBe(number);
      expect(parseAccountReference(` ${reference.slice(0, 4).toLowerCase()} ${reference.slice(4)}-`)).toBe(number);
    }),
  );
  const first = Array.from({ length: 5_000 }, (_, i) => formatAccountReference(i + 1));
  expect(new Set(first).size).toBe(5_000);
});

test('one wrong character is no reference', () => {
  fc.assert(
    fc.property(anyNumber, fc.integer({ min: 2, max: 7 }), fc.nat(ALPHABET.length - 1), (number, place, letter) => {
      const reference = formatAccountReference(number);
      const typed = reference.slice(0, place) + ALPHABET[letter] + reference.slice(place + 1);
      expect(parseAccountReference(typed)).toBe(typed === reference ? number : null);
    }),
  );
});
