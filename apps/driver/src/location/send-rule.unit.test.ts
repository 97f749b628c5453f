import { expect, test } from 'vitest';
import { shouldSend } from './send-rule.ts';

const here = { latitude: 48.85, longitude: 2.35 };
const metresNorth = (metres: number) => ({ ...here, latitude: here.latitude + metres / 111_195 });
const last = { place: here, at: 0 };

test.each([
  ['the first position', null, here, 0, true],
  ['moving, after 5 s', last, metresNorth(40), 5_000, true],
  ['moving, too soon', last, metresNorth(40), 4_000, false],
  ['standing, after 10 s', last, metresNorth(5), 10_000, false],
  ['standing, after 45 s', last, metresNorth(0), 45_000, true],
  ['after the clock was set back', last, here, -1_000, true],
] as const)('%s: sent or not', (_when, before, place, now, sent) => {
  expect(shouldSend(before, place, now)).toBe(sent);
});
