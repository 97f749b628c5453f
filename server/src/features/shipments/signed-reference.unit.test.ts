import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newReferenceNumber } from './reference-number.ts';
import { readSignedReference, signReference } from './signed-reference.ts';

const OLD = ['the-secret-of-last-year-0123456789'];
const NEW = ['the-secret-of-this-year-0123456789', ...OLD];

describe('a signed reference', () => {
  test('gives back the reference it was made for, and fits in a URL and an SMS', () => {
    const reference = newReferenceNumber();
    const token = signReference(NEW, 'track', reference);
    expect(readSignedReference(NEW, 'track', token)).toBe(reference);
    expect(token).toMatch(/^[\w-]+$/);
    expect(token.length).toBeLessThanOrEqual(30);
  });

  test('is invalid for another purpose, another shipment or another secret', () => {
    const [one, other] = [newReferenceNumber(), newReferenceNumber()];
    const token = signReference(NEW, 'track', one);
    expect(readSignedReference(NEW, 'pick-up', token)).toBe(null);
    expect(readSignedReference(OLD, 'track', token)).toBe(null);
    expect(readSignedReference(NEW, 'track', other + token.slice(one.length))).toBe(null);
  });

  test('stays valid when its secret is rotated', () => {
    const token = signReference(OLD, 'pick-up', 'NV1');
    expect(readSignedReference(NEW, 'pick-up', token)).toBe('NV1');
  });

  test('any change of any character, and any other text, is refused', () => {
    const token = signReference(NEW, 'track', newReferenceNumber());
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), (at, other) => {
        fc.pre(other !== token[at]);
        expect(readSignedReference(NEW, 'track', token.slice(0, at) + other + token.slice(at + 1))).toBe(null);
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readSignedReference(NEW, 'track', text) === null));
  });
});
