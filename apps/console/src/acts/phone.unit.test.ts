import { expect, test } from 'vitest';
import { phoneOf, phoneText } from './phone.ts';

test('the number is the first that the facts have, without spaces', () => {
  expect(phoneOf({ facts: { driverPhone: '+33 6 12 34 56 78' } })).toBe('+33612345678');
  expect(phoneOf({ facts: { driverPhone: null } })).toBeNull();
});

test('a French number is written as people in France write it', () => {
  expect(phoneText('+33612345678')).toBe('06 12 34 56 78');
  expect(phoneText('+32470123456')).toBe('+32470123456');
});
