import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const PREFIX = 'navette-emulator-';
const OWNER = 'owner.pid';

/** A folder for this process. It is deleted when the emulator stops, or by a later start. */
export async function createRunFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await chmod(folder, 0o711); // PostgreSQL may run as another user
  await setOwner(folder, process.pid);
  return folder;
}

/** A folder whose owner has ended is deleted by the next start. */
export const setOwner = (folder: string, pid: number): Promise<void> => writeFile(join(folder, OWNER), String(pid));

/** Ends PostgreSQL servers whose emulator and guard were both killed, and deletes their folders. */
export async function removeAbandonedFolders(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  await Promise.all(names.map((name) => removeIfAbandoned(join(tmpdir(), name)).catch(() => {}))); // of another user
}

async function removeIfAbandoned(folder: string): Promise<void> {
  if (isRunning(Number(await readFile(join(folder, OWNER), 'utf8')))) return;
  const postmaster = await readFile(join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(postmaster.split('\n', 1)[0]);
  // The number may belong to another process by now. Without /proc, as on macOS, the guard is the only protection.
  if (pid > 0 && commandOf(pid).includes(folder)) {
    process.kill(pid, 'SIGQUIT');
    for (let i = 0; i < 100 && isRunning(pid); i++) await setTimeout(50);
  }
  await rm(folder, { recursive: true, force: true });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it runs as another user
  }
}
