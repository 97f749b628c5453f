import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { label } from '../../../test/label-samples.ts';
import { checkSeal, fingerprintOf, seal } from './seal.ts';

const fingerprint = fingerprintOf(label());
const file = seal(Buffer.from('%PDF-1.3 something of a label %%EOF\n'), fingerprint);

describe('a sealed file', () => {
  test('is good as it is, and outdated once the shipment changed', () => {
    expect(checkSeal(file, fingerprint)).toBe('good');
    expect(checkSeal(file, fingerprintOf(label({ isCancelled: true })))).toBe('outdated');
  });

  test('cut at any byte is altered', () => {
    for (let length = 0; length < file.length; length++)
      expect(checkSeal(file.subarray(0, length), fingerprint)).toBe('altered');
  });

  test('changed in any byte is altered', () => {
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const other = Buffer.from(file);
        other[at] = (other[at] as number) ^ change;
        expect(checkSeal(other, fingerprint)).toBe('altered');
      }),
    );
  });
});
