/**
 * `npm run attack:mistakes [-- part of a name]`: makes each seeded mistake in a copy of the project and expects the attack
 * meant for it to fail there. The project itself is not touched.
 */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MISTAKES, type Mistake } from './seeded-mistakes.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WORKSPACES = '@navette';

/** The tracked files as they are now, and links to the installed packages; the workspaces are the copy's own. */
function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'navette-mistakes-'));
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  linkPackages('node_modules', copy);
  linkPackages('server/node_modules', copy);
  cpSync(join(ROOT, 'node_modules', WORKSPACES), join(copy, 'node_modules', WORKSPACES), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return copy;
}

function linkPackages(folder: string, copy: string): void {
  mkdirSync(join(copy, folder), { recursive: true });
  for (const name of readdirSync(join(ROOT, folder))) {
    if (name !== WORKSPACES) symlinkSync(join(ROOT, folder, name), join(copy, folder, name));
  }
}

/** Whether the attack fails in the copy with this mistake in it. */
async function isCaught(copy: string, { file, replace: [right, wrong], caughtBy }: Mistake): Promise<boolean> {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    original.replace(right, () => wrong),
  );
  try {
    const attack = `server/test/attacks/${caughtBy}`;
    await promisify(execFile)('npx', ['vitest', 'run', attack], { cwd: copy, maxBuffer: 2 ** 26 });
    return false;
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string };
    // A file that cannot be loaded, or a server that does not start, proves nothing: a test itself has to fail.
    if (!/Tests .*\d+ failed/.test(stdout)) throw new Error(`${caughtBy} could not run:\n${stdout}`);
    return true;
  } finally {
    writeFileSync(path, original);
  }
}

const wanted = MISTAKES.filter(({ name }) => name.includes(process.argv[2] ?? ''));
const copy = copyProject();
let caught = 0;
try {
  for (const mistake of wanted) {
    const found = await isCaught(copy, mistake);
    if (found) caught++;
    process.stdout.write(`${found ? 'caught' : 'MISSED'}  ${mistake.name}  (${mistake.caughtBy})\n`);
  }
} finally {
  rmSync(copy, { recursive: true });
}
process.stdout.write(`${caught} of ${wanted.length} mistakes caught\n`);
process.exitCode = caught === wanted.length ? 0 : 1;
