import type { Directory } from '../cells/directory.ts';
import { readConfig } from '../config.ts';
import { CommandFailure } from './failure.ts';

const NOTHING_THERE = ['42P01', '3D000']; // neither table nor database

/** Opens the directory of cells for one command and closes it in any case. */
export async function withDirectory<T>(use: (directory: Directory) => Promise<T>): Promise<T> {
  const { directoryUrl } = readConfig();
  if (directoryUrl === null) throw new CommandFailure('DIRECTORY_URL is not set');
  const { openDirectory } = await import('../cells/directory.ts');
  const directory = openDirectory(directoryUrl);
  try {
    return await use(directory);
  } catch (error) {
    const isEmpty = error instanceof Error && 'code' in error && NOTHING_THERE.includes(String(error.code));
    throw isEmpty ? new CommandFailure('the directory has no cells: run `navette cell add` in the first one') : error;
  } finally {
    await directory.close();
  }
}
