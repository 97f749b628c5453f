import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { scripts, engines } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const firstGroups = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group = '']) => group);

describe('hosted CI', () => {
  test('runs the checks and every tier of tests', () => {
    const [jobs = ''] = firstGroups(read('.github/workflows/ci.yml'), /step: \[(.+?)\]/g);
    const others = [
      'test:all',
      'test:cluster',
      'test:compose',
      'test:emulator',
      'test:image',
      'test:runtimes',
      'test:systemd',
      'test:timed',
    ]; // need root and namespaces, or a quiet machine
    const tiers = Object.keys(scripts).filter((script) => script.startsWith('test:') && !others.includes(script));
    expect(jobs.split(', ').sort()).toEqual(['check', ...tiers].sort());
    expect(read('.ci/run')).toContain('steps=(check test:all)');
  });
});

describe('the development container', () => {
  test('has the programs that .ci/run installs', () => {
    const [installed = ''] = firstGroups(read('.devcontainer/Dockerfile'), /--no-install-recommends \\\s+(.+?) \\/g);
    expect(installed.split(' ').sort()).toEqual(firstGroups(read('.ci/run'), /^need \S+ (\S+)/gm).sort());
  });

  test('has the Node.js of .nvmrc, hosted CI and package.json', () => {
    const major = read('.nvmrc').trim();
    expect(engines.node).toBe(`>=${major}`);
    expect(read('.devcontainer/Dockerfile')).toContain(`FROM node:${major}-`);
    expect(read('.github/workflows/ci.yml')).toContain(`container: node:${major}-`);
  });
});

describe('a document', () => {
  test.each(documents)('%s names only npm scripts that exist', (file) => {
    const named = firstGroups(read(file), /npm run (?:-s )?([a-z][\w:-]*)/g);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});

test('the four paths of ARCHITECTURE.md have at most 15 files each, and name none twice', () => {
  const [paths = ''] = firstGroups(read('ARCHITECTURE.md'), /<!-- paths -->([\s\S]*)<!-- \/paths -->/g);
  const sections = paths.split('\n### ').slice(1);
  expect(sections).toHaveLength(4);
  for (const section of sections) {
    const files = firstGroups(section, /^\| \[[^\]]+\]\(([^)]+)\)/gm);
    expect(files.length).toBeLessThanOrEqual(15);
    expect(files).toEqual([...new Set(files)]);
  }
});
