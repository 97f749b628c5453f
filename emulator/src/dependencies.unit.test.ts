import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { dependencies: Record<string, string> };

test('the package depends on what the server depends on, in the same versions', () => {
  const { '@navette/contract': _built, ...dependencies } = read('../../server/package.json').dependencies;
  expect(read('../package.json').dependencies).toEqual(dependencies);
});
