import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DAY_MISTAKES } from '../../demo/mistakes/day-mistakes.ts';
import { MISTAKES } from './attacks/seeded-mistakes.ts';

const at = (path: string) => new URL(`../../${path}`, import.meta.url);

test.each([...MISTAKES, ...DAY_MISTAKES])(
  'the mistake "$name" still fits the code',
  ({ file, replace: [right, wrong] }) => {
    const parts = readFileSync(at(file), 'utf8').split(right);
    expect({ file, found: parts.length - 1 }).toEqual({ file, found: 1 });
    expect(wrong).not.toBe(right);
  },
);

test.each(MISTAKES)('the attack that must detect "$name" exists', ({ caughtBy }) => {
  expect(existsSync(at(`server/test/attacks/${caughtBy}`))).toBe(true);
});
