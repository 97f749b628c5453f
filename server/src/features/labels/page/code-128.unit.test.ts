import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { code128 } from './code-128.ts';

const printable = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) });

describe('Code 128', () => {
  test('an example worked out by hand: start, A, check 34, stop', () => {
    expect(code128('A').join('')).toBe('211214' + '111323' + '131123' + '2331112');
  });

  test('every text has 11 modules for each symbol and 13 for the stop, and starts and ends with a bar', () => {
    fc.assert(
      fc.property(printable, (text) => {
        const widths = code128(text);
        expect(widths.reduce((sum, width) => sum + width, 0)).toBe((text.length + 2) * 11 + 13);
        expect(widths.length % 2).toBe(1);
      }),
    );
  });

  test('what the code cannot hold is refused', () => {
    expect(() => code128('é')).toThrow(RangeError);
  });
});
