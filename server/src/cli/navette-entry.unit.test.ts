import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ENTRY = fileURLToPath(new URL('../../bin/navette.js', import.meta.url));

function run(nodeOptions: string[], args: string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeOptions, ENTRY, ...args], {
    encoding: 'utf8',
    env: environment,
  });
  return { status, stdout, stderr };
}

/** Makes the process report another version of Node.js. */
const reportNode = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`,
];

test.each([['--help'], ['serve']])(
  'under an old Node.js, `navette %s` prints one line with the version it needs',
  (arg) => {
    expect(run(reportNode('20.20.2'), [arg])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'navette: needs Node.js 24 or newer, but this is Node.js 20.20.2\n',
    });
  },
);

test('`navette --version` prints the version of the package', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  expect(run([], ['--version'])).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

test('`navette --version` of an image also prints its commit and time of build', () => {
  const build = { NAVETTE_COMMIT: '5f1c2ab', NAVETTE_BUILT_AT: '2026-11-16T08:00:00.000Z' };
  const { stdout } = run([], ['--version'], build);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(commit 5f1c2ab, built 2026-11-16T08:00:00\.000Z\)\n$/);
});
