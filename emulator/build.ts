/**
 * Builds `dist`: this package, the server and the contract as JavaScript, each file at its place in the project, and the
 * files that they read, among them the documentation site. Node.js does not run TypeScript below node_modules. Packages of npm stay dependencies.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { out: { type: 'string', default: join(import.meta.dirname, 'dist') } } });
const OUT = values.out;

/** The command, and the files that are started by their name. */
const ENTRIES = [
  'emulator/src/main.ts',
  'emulator/src/index.ts',
  'emulator/src/postgres/guard.ts',
  'server/src/features/labels/drawing-thread.ts',
];
const READ_FILES = 'server/src/**/*.{ico,lua,sql,tsv}';

rmSync(OUT, { recursive: true, force: true });
const bundle = await rolldown({
  input: ENTRIES.map((entry) => join(ROOT, entry)),
  external: (id) => isBuiltin(id) || !/^([./\0]|@navette\/|@oxc-project\/)/.test(id), // the last one is rolldown's own
  platform: 'node',
  treeshake: false,
});
await bundle.write({ dir: OUT, format: 'esm', preserveModules: true, preserveModulesRoot: ROOT });
await bundle.close();
for (const file of [...globSync(READ_FILES, { cwd: ROOT }), 'server/package.json']) {
  cpSync(join(ROOT, file), join(OUT, file));
}
execFileSync('npm', ['run', 'build', '--workspace', 'site'], { cwd: ROOT });
cpSync(join(ROOT, 'site/dist'), join(OUT, 'site/dist'), { recursive: true });
writeTypes();

/** Of the functions that test suites call. */
function writeTypes(): void {
  const compiler = join(ROOT, 'node_modules/typescript7/bin/tsc');
  const options = ['--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions', '--types', 'node'];
  execFileSync(process.execPath, [
    ...[compiler, join(ROOT, 'emulator/src/index.ts'), '--outDir', join(OUT, 'emulator/src'), ...options],
    ...['--target', 'es2024', '--module', 'nodenext', '--strict', '--ignoreConfig'],
  ]);
}
