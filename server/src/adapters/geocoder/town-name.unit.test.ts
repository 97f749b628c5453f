import { describe, expect, it } from 'vitest';
import { normalizeTownName, withoutDistrictNumber } from './town-name.ts';

describe('normalizeTownName', () => {
  it.each([
    ['SAINT-DENIS', 'saint denis'],
    ['St Denis', 'saint denis'],
    ['Ste-Foy-lès-Lyon', 'sainte foy les lyon'],
    ['L’Haÿ-les-Roses', 'hay les roses'],
    ["L'HAY LES ROSES", 'hay les roses'],
    ['Le Havre', 'havre'],
    ['Schœlcher', 'schoelcher'],
    ['Nanterre Cedex 9', 'nanterre'],
    ['Paris 11e Arrondissement', 'paris 11'],
    ['Paris 11 Popincourt', 'paris 11'],
    ['Lyon 03', 'lyon 3'],
    ['Marseille 1er Arrondissement', 'marseille 1'],
    ['PARIS CEDEX 08', 'paris'],
    ['', ''],
  ])('writes %j as %j', (name, normalized) => {
    expect(normalizeTownName(name)).toBe(normalized);
  });

  it('leaves a word that only begins like an abbreviation or an article alone', () => {
    expect(normalizeTownName('Sterpenich')).toBe('sterpenich');
    expect(normalizeTownName('Lesquin')).toBe('lesquin');
  });
});

describe('withoutDistrictNumber', () => {
  it('gives the city of a district, and any other name unchanged', () => {
    expect(withoutDistrictNumber('paris 11')).toBe('paris');
    expect(withoutDistrictNumber('saint denis')).toBe('saint denis');
  });
});
