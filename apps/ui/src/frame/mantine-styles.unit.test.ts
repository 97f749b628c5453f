import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../../../../', import.meta.url).pathname;
const core = join(root, 'node_modules/@mantine/core');
const read = (path: string) => readFileSync(path, 'utf8');
const namesIn = (list = '') =>
  list
    .split(',')
    .map((name) => name.replace('type ', '').trim().split(' as ')[0] ?? '')
    .filter(Boolean);
const hashesIn = (text: string) => text.match(/\bm_[0-9a-f]+/g) ?? [];

/** Names that the apps, and Mantine's other packages, import from the package. */
function importedNames(): string[] {
  const files = globSync(
    ['apps/{ui,dashboard,console}/src/**/*.{ts,tsx}', 'node_modules/@mantine/{modals,notifications}/esm/**/*.mjs'],
    {
      cwd: root,
    },
  );
  return files.flatMap((file) =>
    [...read(join(root, file)).matchAll(/import \{([^}]*)\} from ["']@mantine\/core["']/g)].flatMap(([, list]) =>
      namesIn(list),
    ),
  );
}

/** The files of components with those that they import themselves. */
function modulesOf(names: string[]): Set<string> {
  const fileOf = new Map<string, string>();
  for (const [, list, file = ''] of read(join(core, 'esm/index.mjs')).matchAll(/import \{([^}]*)\} from "([^"]+)"/g))
    for (const name of namesIn(list)) fileOf.set(name, join(core, 'esm', file));
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    for (const [, next = ''] of read(file).matchAll(/from "(\.[^"]+)"/g)) visit(join(dirname(file), next));
  };
  for (const name of names) visit(fileOf.get(name) ?? '');
  return seen;
}

test('every Mantine component that an app uses has its styles, in Mantine’s order', () => {
  const listed = [...read(join(root, 'apps/ui/src/frame/mantine-styles.ts')).matchAll(/styles\/([\w-]+)\.css/g)].map(
    ([, name = '']) => name,
  );
  const loaded = new Set(listed.flatMap((name) => hashesIn(read(join(core, 'styles', `${name}.css`)))));
  const modules = [...modulesOf(importedNames())].filter((file) => file.endsWith('.module.mjs'));
  expect(modules.length).toBeGreaterThan(50); // the search works
  const all = read(join(core, 'styles.css'));
  const needed = new Set(modules.flatMap((file) => hashesIn(read(file))).filter((hash) => all.includes(`.${hash}`)));
  expect([...needed].filter((hash) => !loaded.has(hash))).toEqual([]);
  const places = listed.flatMap((name) => {
    const [first] = hashesIn(read(join(core, 'styles', `${name}.css`)));
    return first ? [all.indexOf(first)] : [];
  });
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
