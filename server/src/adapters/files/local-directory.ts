import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { FileStore } from './file-store.ts';

/** Files in a directory of this machine, or one that several machines share. */
export function createLocalDirectory(path: string): FileStore {
  const directory = resolve(path);
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
    async write(name, bytes) {
      const path = pathOf(name);
      const unfinished = `${path}.${randomUUID()}.unfinished`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await writeFile(unfinished, bytes);
        await rename(unfinished, path); // nobody reads half a file
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
  };
}

/** 256 folders, by the random end of the name: a folder with millions of files is slow to list and to back up. */
const folderOf = (name: string) => /([0-9a-f]{2})\.\w+$/.exec(name)?.[1] ?? 'other';
