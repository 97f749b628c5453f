import { randomUUID } from 'node:crypto';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { FileStore } from './file-store.ts';

const OWN_FILE = 0o600; // files contain personal data: no other user of the machine may read them
const OWN_FOLDER = 0o700;
const UNFINISHED = 'unfinished';

/** Files in a local directory, or in one that several machines share. */
export function createLocalDirectory(path: string): FileStore {
  const directory = resolve(path);
  restrictFolders(directory);
  const pathOf = (name: string) => join(directory, folderOf(name), name);
  return {
    async read(name) {
      try {
        return await readFile(pathOf(name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async write(name, bytes, { isSynced } = { isSynced: false }) {
      const path = pathOf(name);
      const unfinished = join(unfinishedIn(directory), randomUUID());
      const folders = [dirname(path), dirname(unfinished)];
      await Promise.all(folders.map((folder) => mkdir(folder, { recursive: true, mode: OWN_FOLDER })));
      try {
        await writeFile(unfinished, bytes, { mode: OWN_FILE, flush: isSynced });
        await rename(unfinished, path); // atomic: readers never see a partial file
        if (isSynced) for (const folder of [dirname(path), directory]) await syncFolder(folder);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    delete: (name) => rm(pathOf(name), { force: true }),
    async *list(since) {
      for (const folder of await readdir(directory).catch(() => [])) {
        if (folder === UNFINISHED) continue;
        for (const name of await readdir(join(directory, folder)).catch(() => [])) {
          const found = await stat(join(directory, folder, name)).catch(() => null); // deleted meanwhile
          if (found && found.mtime >= since) yield name;
        }
      }
    },
    async deleteUnfinished(before) {
      const folder = unfinishedIn(directory);
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => null); // finished meanwhile
        if (found && found.mtime < before) await rm(path, { force: true });
      }
    },
  };
}

/** The names in it, which a rename has changed. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** One folder for all partial files, so that files of dead processes can be found. */
const unfinishedIn = (directory: string) => join(directory, UNFINISHED);

/** 256 folders, by the random end of the name: a folder with millions of files is slow to list and to back up. */
const folderOf = (name: string) => /([0-9a-f]{2})\.\w+$/.exec(name)?.[1] ?? 'other';

/**
 * Corrects folders that an older version or an operator created with wider permissions. A closed folder protects its
 * files whatever their mode. Folders of another user, such as a mounted volume, are not changed.
 */
function restrictFolders(directory: string): void {
  try {
    const folders = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const folder of [directory, ...folders.map(({ name }) => join(directory, name))]) {
      const { mode, uid } = statSync(folder);
      if ((mode & 0o777) !== OWN_FOLDER && uid === process.getuid?.()) chmodSync(folder, OWN_FOLDER);
    }
  } catch {
    // Missing or not readable: the next read or write reports it.
  }
}
