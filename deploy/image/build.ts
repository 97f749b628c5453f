/**
 * Builds the image with buildah: `npm run image -- --base node:24-bookworm-slim@sha256:…`. Without --base it makes a base from
 * Debian's packages and the Node.js and npm that run this script, for machines that reach no image registry.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const RESULTS = join(ROOT, 'dist/image');
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

const { values } = parseArgs({ options: { base: { type: 'string' }, tag: { type: 'string' } } });
const { version } = JSON.parse(readFileSync(join(ROOT, 'server/package.json'), 'utf8')) as { version: string };
const tag = values.tag ?? `localhost/navette:${version}`;
const changed = read('git', 'status', '--porcelain') !== '';
const commit = read('git', 'rev-parse', 'HEAD') + (changed ? '-changed' : '');
const built = new Date().toISOString();

run('buildah', [
  ...['bud', '--isolation', 'chroot', '--format', 'docker', '--layers', '--tag', tag], // only this format has HEALTHCHECK
  ...['--build-arg', `BASE=${values.base ?? prepareBase()}`],
  ...['--build-arg', `VERSION=${version}`, '--build-arg', `COMMIT=${commit}`, '--build-arg', `BUILT_AT=${built}`],
  ...trustOfThisMachine(),
  ...['--file', 'deploy/image/Containerfile', '.'],
]);
writeResults();

/** npm inside the build accepts the certificates that this machine accepts, such as those of a company's proxy. */
function trustOfThisMachine(): string[] {
  if (!existsSync(CERTIFICATES)) return [];
  return ['--volume', `${CERTIFICATES}:${CERTIFICATES}:ro`, '--build-arg', `npm_config_cafile=${CERTIFICATES}`];
}

function prepareBase(): string {
  const base = `localhost/navette-base:bookworm-node${process.versions.node}`;
  if (read('buildah', 'images', '--quiet', '--filter', `reference=${base}`) !== '') return base;
  const folder = mkdtempSync(join(tmpdir(), 'navette-base-'));
  try {
    run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder]);
    installNode(join(folder, 'usr/local'));
    const container = read('buildah', 'from', 'scratch');
    run('buildah', ['add', '--quiet', container, folder, '/']);
    run('buildah', ['config', '--env', 'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container]);
    run('buildah', ['commit', '--quiet', '--rm', container, base]);
    return base;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Where the official Node.js images have them. */
function installNode(prefix: string): void {
  cpSync(process.execPath, join(prefix, 'bin/node'));
  const npm = dirname(dirname(process.env.npm_execpath ?? '')); // set by `npm run`
  cpSync(npm, join(prefix, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(prefix, 'bin/npm'));
}

/** The SBOM, and an archive of the same files with Node.js, for machines without containers. */
function writeResults(): void {
  const name = `navette-${version}`;
  const archive = `${name}-linux-${process.arch}.tar.gz`;
  const stage = join(RESULTS, name);
  const container = read('buildah', 'from', '--pull-never', tag);
  try {
    const root = read('buildah', 'mount', container);
    rmSync(RESULTS, { recursive: true, force: true });
    cpSync(join(root, 'opt/navette'), stage, { recursive: true, verbatimSymlinks: true });
    cpSync(join(root, 'usr/local/bin/node'), join(stage, 'bin/node'));
  } finally {
    read('buildah', 'rm', container);
  }
  cpSync(join(ROOT, 'deploy'), join(stage, 'deploy'), { recursive: true });
  const build = { NAVETTE_VERSION: version, NAVETTE_COMMIT: commit, NAVETTE_BUILT_AT: built, NODE_ENV: 'production' };
  writeFileSync(
    join(stage, 'build.env'),
    Object.entries(build)
      .map((entry) => `${entry.join('=')}\n`)
      .join(''),
  );
  cpSync(join(stage, 'sbom.cdx.json'), join(RESULTS, 'sbom.cdx.json'));
  run('tar', [
    '--create',
    '--gzip',
    '--owner=0',
    '--group=0',
    '--file',
    join(RESULTS, archive),
    '--directory',
    RESULTS,
    name,
  ]);
  rmSync(stage, { recursive: true });
  console.log(`${tag}  ${commit}\ndist/image/sbom.cdx.json\ndist/image/${archive}`);
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' });
}

function read(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
