import { expect, test } from 'vitest';
import { phoneKeyOf, phonePrefixOf } from './search-words.ts';

test.each(['06 12 34 56 78', '+33 6 12 34 56 78', '0033612345678', '06.12.34.56.78'])(
  'the phone number %s is found by whatever beginning a person types',
  (written) => {
    const key = phoneKeyOf(written);
    for (const typed of ['061', '06 12', '+33612', '0033 6 12 34', '0612345678', '+33 (0)6 12 34 56 78'])
      expect(key.startsWith(phonePrefixOf(typed)), typed).toBe(true);
  },
);

test('a foreign number is found when it is typed as a whole', () => {
  expect(phonePrefixOf('+32 470 12 34 56')).toBe(phoneKeyOf('+32470123456'));
});

test.each(['', '06', 'K7M2P9XW4B', 'Petit', '12 rue Sedaine'])('%s is no phone number', (typed) => {
  expect(phonePrefixOf(typed)).toBe('');
});
