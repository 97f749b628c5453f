import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A plausible mistake in the code, which a check must detect. */
export interface Mistake {
  name: string;
  /** Path of the file that is changed, from the root of the project. */
  file: string;
  /** Text that occurs exactly once in the file, and its replacement. */
  replace: [right: string, wrong: string];
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
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

/**
 * Makes each mistake in a copy of the project, one after the other, and prints what detected it; null when nothing did, which
 * is a failure of this process. An argument selects those whose name contains it.
 */
export async function catchMistakes<M extends Mistake>(
  mistakes: M[],
  detect: (copy: string, mistake: M) => Promise<string | null>,
): Promise<void> {
  const wanted = mistakes.filter(({ name }) => name.includes(process.argv[2] ?? ''));
  const copy = copyProject();
  let caught = 0;
  try {
    for (const mistake of wanted) {
      const detected = await withMistake(copy, mistake, () => detect(copy, mistake));
      if (detected) caught++;
      process.stdout.write(detected ? `caught  ${mistake.name}  (${detected})\n` : `MISSED  ${mistake.name}\n`);
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
  process.stdout.write(`${caught} of ${wanted.length} mistakes caught\n`);
  process.exitCode = caught === wanted.length ? 0 : 1;
}

async function withMistake<T>(copy: string, { file, replace: [right, wrong] }: Mistake, run: () => Promise<T>) {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    original.replace(right, () => wrong),
  );
  try {
    return await run();
  } finally {
    writeFileSync(path, original);
  }
}
