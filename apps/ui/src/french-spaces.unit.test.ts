import { describe, expect, test } from 'vitest';
import { withFrenchSpaces } from './french-spaces.ts';

describe('French texts', () => {
  test('keep punctuation on the line of the word before it, at any depth', () => {
    expect(withFrenchSpaces({ a: 'Prêt ?', b: { c: 'Prix : 7 € ; « rien »' } })).toEqual({
      a: 'Prêt\u202f?',
      b: { c: 'Prix\u00a0: 7\u00a0€\u202f; «\u00a0rien\u00a0»' },
    });
  });

  test('with parameters are treated once they are filled', () => {
    expect(withFrenchSpaces({ left: (count: number) => `Reste : ${count}` }).left(3)).toBe('Reste\u00a0: 3');
  });

  test('leave URLs and placeholders unchanged', () => {
    expect(withFrenchSpaces('Voir https://example.org?a=1 {{count}}')).toBe('Voir https://example.org?a=1 {{count}}');
  });
});
