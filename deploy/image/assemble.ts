/**
 * Collects the files of the image below a folder, by how often they change: `system` (Node.js and the libraries that
 * it loads), `packages` (node_modules), `server` (this project). Runs inside the image's build.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Below node_modules: what the server never loads, with its size. */
const UNUSED = [
  '**/*.{ts,mts,cts}', // 40 MB: declarations; Node.js does not run TypeScript below node_modules
  '**/*.map', // 20 MB
  'typescript', // 24 MB: optional peer of packages that have declarations
  'dejavu-fonts-ttf/ttf/DejaVu{MathTeXGyre,Sans,Sans-*,SansMono*,Serif*}.ttf', // 9 MB: labels use the condensed faces
  '@expo-google-fonts/noto-emoji/{300,500,600,700}*', // 4 MB: labels use the regular face
];

const [app = '', target = ''] = process.argv.slice(2);

const systemPackages = collectSystem(join(target, 'system'));
collectPackages(join(target, 'packages'));
collectServer(join(target, 'server'));
write(join(target, 'server/sbom.cdx.json'), JSON.stringify(describeContents(systemPackages), null, 2));
mkdirSync(join(target, 'data/labels'), { recursive: true });

/** Returns the names of the Debian packages that files were taken from. */
function collectSystem(root: string): string[] {
  const binaries = [process.execPath, ...globSync(join(app, 'node_modules/**/*.node'))];
  const libraries = new Set(binaries.flatMap(librariesOf));
  for (const file of [process.execPath, ...libraries]) cpSync(realpathSync(file), join(root, file));
  const packages = packagesOf([...libraries]);
  for (const name of packages) {
    write(join(root, 'var/lib/dpkg/status.d', name), run('dpkg-query', '--status', name)); // for vulnerability scanners
  }
  write(join(root, 'etc/passwd'), 'navette:x:10001:10001::/var/lib/navette:/usr/sbin/nologin\n');
  write(join(root, 'etc/group'), 'navette:x:10001:\n');
  write(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  write(join(root, 'etc/os-release'), run('cat', '/etc/os-release'));
  const command = join(root, 'usr/local/bin/navette');
  write(command, `#!${process.execPath}\nimport('${app}/server/bin/navette.js');\n`);
  chmodSync(command, 0o755);
  return packages;
}

function librariesOf(binary: string): string[] {
  return [...run('ldd', binary).matchAll(/(\/\S+) \(0x/g)].map(([, file = '']) => file);
}

/** Names of the Debian packages that the files belong to; dpkg may list a file under / or under /usr. */
function packagesOf(files: string[]): string[] {
  const owners = files.map((file) => {
    const listed = [file, `/usr${file}`, realpathSync(file)].find((path) => succeeds('dpkg-query', '--search', path));
    return listed === undefined ? '' : run('dpkg-query', '--search', listed).replace(/:.*/s, '');
  });
  return [...new Set(owners)].filter((name) => name !== '');
}

function collectPackages(root: string): void {
  const modules = [join(app, 'node_modules'), join(app, 'server/node_modules')].filter(existsSync);
  for (const folder of modules) {
    for (const found of globSync(UNUSED, { cwd: folder }))
      rmSync(join(folder, found), { recursive: true, force: true });
    cpSync(folder, folder.replace(app, root), { recursive: true, verbatimSymlinks: true });
  }
}

function collectServer(root: string): void {
  const parts = ['package.json', 'contract/package.json', 'contract/src', 'server/package.json'];
  for (const part of [...parts, 'server/bin', 'server/src']) {
    cpSync(join(app, part), join(root, part), { recursive: true, filter: (file) => !file.endsWith('.test.ts') });
  }
}

interface LockedPackage {
  name?: string;
  version?: string;
  integrity?: string;
  license?: string;
}

/**
 * CycloneDX, of the files that are in the image. `npm sbom --omit dev` leaves out packages that a development dependency
 * also uses, such as pg.
 */
function describeContents(systemPackages: string[]): object {
  const read = (file: string) => JSON.parse(readFileSync(join(app, file), 'utf8'));
  const { packages } = read('node_modules/.package-lock.json') as { packages: Record<string, LockedPackage> };
  const installed = Object.entries(packages).filter(
    ([path, { version }]) => path.includes('node_modules/') && version && existsSync(join(app, path)),
  );
  const libraries = installed.map(([path, locked]) => describePackage(path, locked));
  const debian = systemPackages.map((name) => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query replaces it
    const version = run('dpkg-query', '--show', '--showformat=${Version}', name);
    return { type: 'library', name, version, purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}` };
  });
  const node = process.versions.node;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      component: { type: 'application', name: 'navette', version: read('server/package.json').version },
    },
    components: [
      ...libraries,
      ...debian,
      { type: 'platform', name: 'node', version: node, purl: `pkg:generic/node@${node}` },
    ],
  };
}

function describePackage(path: string, locked: LockedPackage): object {
  const { name = path.replace(/^.*node_modules\//, ''), version, integrity = '', license } = locked;
  const [, sha512] = /^sha512-(\S+)/.exec(integrity) ?? [];
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(sha512 ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] } : {}),
    ...(license ? { licenses: [{ license: { name: license } }] } : {}),
  };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function succeeds(command: string, ...args: string[]): boolean {
  try {
    run(command, ...args);
    return true;
  } catch {
    return false;
  }
}
