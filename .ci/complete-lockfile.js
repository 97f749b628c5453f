/**
 * Run after `npm install` has changed package-lock.json: `node .ci/complete-lockfile.js`.
 *
 * npm leaves out of the lock file the optional binaries for other systems that the registry in use does not hold,
 * and then `npm ci` refuses the file on a machine of any kind. This adds them, marked with their system, so that
 * `npm ci` passes everywhere and installs only what fits.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = {
  arm64: /arm64/,
  arm: /arm(?!64)/,
  ia32: /ia32/,
  ppc64: /ppc64/,
  riscv64: /riscv64/,
  s390x: /s390x/,
  wasm32: /wasm32/,
  x64: /x64/,
};
const LIBRARIES = { musl: /musl/, glibc: /gnu/ };

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const known = new Set(Object.keys(lock.packages).map((path) => path.split('node_modules/').pop()));
const named = (patterns, name) =>
  Object.keys(patterns)
    .filter((key) => patterns[key].test(name))
    .slice(0, 1);

for (const { optionalDependencies = {}, dev } of Object.values({ ...lock.packages })) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    if (known.has(name)) continue;
    const marks = {
      cpu: named(PROCESSORS, name),
      os: SYSTEMS.filter((os) => name.includes(os)),
      libc: named(LIBRARIES, name),
    };
    const present = Object.fromEntries(Object.entries(marks).filter(([, values]) => values.length > 0));
    lock.packages[`node_modules/${name}`] = {
      version: range.replace(/^[\^~]/, ''),
      optional: true,
      ...(dev ? { dev } : {}),
      ...present,
    };
    known.add(name);
    console.log(`added ${name}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
