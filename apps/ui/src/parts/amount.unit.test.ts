import { expect, test } from 'vitest';
import { orNull } from './amount.ts';

test.each([
  [4.5, 4.5],
  ['4.50', 4.5],
  ['1,20', 1.2],
  ['0', 0],
  ['', null],
  [' ', null],
  ['-', null],
])('the amount %j is %j', (amount, value) => expect(orNull(amount)).toBe(value));
