import { expect, test } from 'vitest';
import { tidyText } from './tidy-text.ts';

const FAMILY = '👨‍👩‍👧'; // three people and two joiners: eight UTF-16 units
const WAVE = '👋🏽'; // a hand and its colour

test.each([
  ['  3e étage\u0007\r\nCode 12A  ', 50, '3e étage\nCode 12A'],
  ['abc', 3, 'abc'],
  ['abc d', 4, 'abc'],
  [`ab${FAMILY}`, 10, `ab${FAMILY}`],
  [`ab${FAMILY}`, 9, 'ab'],
  [`ab${WAVE}`, 5, 'ab'],
  ['ab🇫🇷', 4, 'ab'],
  ['abe\u0301', 3, 'ab'],
  ['می\u200cخواهم', 20, 'می\u200cخواهم'],
  ['safe\u202etext', 20, 'safetext'], // reverses the text that follows
  ['lone \ud83d half', 20, 'lone  half'],
  [' \n ', 20, ''],
])('%j cut at %i is %j', (typed, limit, tidy) => {
  expect(tidyText(typed, limit)).toBe(tidy);
});
