import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

export interface BuiltFile {
  type: string;
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

export interface BuiltApp {
  page: string;
  files: Map<string, BuiltFile>;
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The whole build in memory, compressed forms beside plain ones; null when there is none. */
export async function readBuiltApp(folder: URL): Promise<BuiltApp | null> {
  try {
    const page = await readFile(new URL('index.html', folder), 'utf8');
    const assets = new URL('assets/', folder);
    const names = await readdir(assets);
    const contents = new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, assets))] as const)),
    );
    const files = new Map<string, BuiltFile>();
    for (const [name, plain] of contents) {
      const type = TYPES[extname(name)];
      if (!type) continue;
      const [br, gzip] = [contents.get(`${name}.br`), contents.get(`${name}.gz`)];
      files.set(name, { type, plain, ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) });
    }
    return { page, files };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
