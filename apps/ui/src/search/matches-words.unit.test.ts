import { describe, expect, test } from 'vitest';
import { matchesWords } from './matches-words.ts';

describe('a typed text finds a page', () => {
  test.each([
    ['envoi', 'Créer un envoi'],
    ['cre env', 'Créer un envoi'],
    ['ENV CRÉ', 'Créer un envoi'],
    ['ensemble', 'Vue d’ensemble'],
    ['equipe', 'Équipe'],
    ['', 'Équipe'],
  ])('%s: %s', (typed, text) => expect(matchesWords(typed, text)).toBe(true));

  test.each([
    ['voi', 'Créer un envoi'], // not the beginning of a word
    ['envoi clé', 'Créer un envoi'],
    ['équipes', 'Équipe'],
  ])('%s does not find “%s”', (typed, text) => expect(matchesWords(typed, text)).toBe(false));
});
