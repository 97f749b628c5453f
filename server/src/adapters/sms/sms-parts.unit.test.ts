import fc from 'fast-check';
import smpp from 'smpp';
import { describe, expect, test } from 'vitest';
import { isGsm, toGsm } from './gsm-alphabet.ts';
import { countSegments, splitSms } from './sms-parts.ts';

describe('the segments of an SMS', () => {
  test.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1], // two codes each: an escape and a code
    ['€'.repeat(81), 2],
    ['ê'.repeat(70), 1],
    ['ê'.repeat(71), 2],
    ['👍'.repeat(35), 1],
    ['👍'.repeat(36), 2],
    ['', 1],
  ])('are counted: case %#', (text, segments) => {
    expect(countSegments(text)).toBe(segments);
  });

  test('another decoder reads the whole text; no part is too long, and no character is split', () => {
    const character = fc.constantFrom('a', 'é', '€', '[', '👍', 'ê', '漢', ' ', '\n');
    const latin = fc.constantFrom('a', 'é', '€', '[', '|', 'à', '\n');
    const texts = fc.oneof(fc.string({ unit: character, maxLength: 400 }), fc.string({ unit: latin, maxLength: 700 }));
    fc.assert(
      fc.property(texts, (text) => {
        const { encoding, parts } = splitSms(text);
        const capacity = parts.length === 1 ? { gsm: 160, ucs2: 140 } : { gsm: 153, ucs2: 134 };
        expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(capacity[encoding]);
        const decoder = smpp.encodings[encoding === 'gsm' ? 'ASCII' : 'UCS2'];
        const read = parts.map((part) => decoder.decode(part));
        expect(read.join('')).toBe(text);
        expect(read.every((part) => part.isWellFormed() && !part.includes('\u001b'))).toBe(true);
      }),
    );
  });
});

describe('French in the GSM alphabet', () => {
  test.each([
    ['L’Atelier des Forêts – « Œuvres »', 'L\'Atelier des Forets - " OEuvres "'],
    ['Garçon à Noël, août', 'Garcon à Noel, aout'],
    ['Zoé, où, très', 'Zoé, où, très'],
    ['Łódź 北京', 'Łodz 北京'],
  ])('%s', (text, plain) => {
    expect(toGsm(text)).toBe(plain);
  });

  test('does not change text that is already in the alphabet', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const plain = toGsm(text);
        expect(toGsm(plain)).toBe(plain);
        const kept = Array.from(text.normalize('NFC')).filter(isGsm);
        expect(Array.from(plain)).toEqual(expect.arrayContaining(kept));
      }),
    );
  });
});
