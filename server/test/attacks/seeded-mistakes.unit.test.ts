import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MISTAKES } from './seeded-mistakes.ts';

const at = (path: string) => new URL(`../../../${path}`, import.meta.url);

test.each(MISTAKES)(
  'the mistake "$name" still fits the code, and its attack exists',
  ({ file, replace: [right, wrong], caughtBy }) => {
    const parts = readFileSync(at(file), 'utf8').split(right);
    expect({ file, found: parts.length - 1 }).toEqual({ file, found: 1 });
    expect(wrong).not.toBe(right);
    expect(existsSync(at(`server/test/attacks/${caughtBy}`))).toBe(true);
  },
);
