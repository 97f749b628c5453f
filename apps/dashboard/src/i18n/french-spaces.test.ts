import { describe, expect, test } from 'vitest';
import { withFrenchSpaces } from './french-spaces.ts';

describe('French texts', () => {
  test('keep marks with the word before them, at any depth', () => {
    expect(withFrenchSpaces({ a: 'Prêt ?', b: { c: 'Prix : 7 € ; « rien »' } })).toEqual({
      a: 'Prêt\u202f?',
      b: { c: 'Prix\u00a0: 7\u00a0€\u202f; «\u00a0rien\u00a0»' },
    });
  });

  test('leave addresses and placeholders alone', () => {
    expect(withFrenchSpaces('Voir https://example.org?a=1 {{count}}')).toBe('Voir https://example.org?a=1 {{count}}');
  });
});
