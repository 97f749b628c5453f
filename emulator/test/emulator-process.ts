import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the caches and data of emulators. Programs that this process starts use it instead of the user's folders. */
export function useOwnFolders() {
  const own = mkdtempSync(join(tmpdir(), 'emulator-test-'));
  const before = { TMPDIR: process.env.TMPDIR, XDG_CACHE_HOME: process.env.XDG_CACHE_HOME };
  const folders = { TMPDIR: join(own, 'tmp'), XDG_CACHE_HOME: join(own, 'cache') };
  mkdirSync(folders.TMPDIR, { mode: 0o755 });
  chmodSync(own, 0o755); // PostgreSQL may run as another user
  Object.assign(process.env, folders);
  return {
    /** Data folders of emulators. */
    runFolders: () =>
      readdirSync(folders.TMPDIR)
        .filter((name) => name.startsWith('navette-emulator-'))
        .map((name) => join(folders.TMPDIR, name)),
    async remove() {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      await rm(own, { recursive: true, force: true });
    },
  };
}

/** The first process of the PostgreSQL in a data folder. */
export const postmasterOf = (folder: string): number =>
  Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0]);

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
