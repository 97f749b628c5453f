import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');

test('docs/security.md lists every class of attack with its test, and every test with its class', () => {
  const listed = [...page.matchAll(/^\| (\d+) \| .* \| `([\w-]+)` \|$/gm)].map(([, number, name]) => [number, name]);
  const files = readdirSync(new URL('.', import.meta.url))
    .filter((file) => /^\d\d-.*\.test\.ts$/.test(file))
    .toSorted()
    .map((file) => [String(Number(file.slice(0, 2))), file.replace(/(\.long)?\.test\.ts$/, '')]);
  expect(listed).toEqual(files);
  expect(files).toHaveLength(31);
});
