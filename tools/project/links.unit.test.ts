import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { headingSlug } from '../../site/src/heading-slug.ts';

const root = join(import.meta.dirname, '../..');
// From the root, as in `server/src/worker.ts`; not within a longer path, nor with a placeholder.
const NAMED_FILE = /(?<![\w/.-])(?:server|apps|contract|demo|bench|e2e|tools)\/[\w./-]+\.(?:ts|tsx|js|sql|lua|md)\b/g;
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

test.each(documents)('every link of %s points to a file and a heading that exist', (file) => {
  const prose = readFileSync(join(root, file), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  expect(targets.filter((target) => !/^(https?|mailto):/.test(target) && !exists(file, target))).toEqual([]);
});

test.each(documents)('every file that %s names exists', (file) => {
  const named = readFileSync(join(root, file), 'utf8').match(NAMED_FILE) ?? [];
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

function exists(from: string, target: string): boolean {
  const [path = '', heading] = target.split('#');
  const file = path === '' ? join(root, from) : join(root, dirname(from), path);
  return existsSync(file) && (heading === undefined || headingsOf(file).includes(heading));
}

function headingsOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').match(/^#+ .+$/gm) ?? [];
  return lines.map((line) => headingSlug(line.replace(/^#+ /, '')));
}
