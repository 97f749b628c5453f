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
  /** Files of `assets/`. */
  files: Map<string, BuiltFile>;
  /** Files beside index.html: a service worker, a manifest, icons. */
  rootFiles: Map<string, BuiltFile>;
}

export const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Loads the whole build into memory, with its compressed variants; null when the app is not built. */
export async function readBuiltApp(folder: URL): Promise<BuiltApp | null> {
  try {
    const page = await readFile(new URL('index.html', folder), 'utf8');
    return { page, files: await readFiles(new URL('assets/', folder)), rootFiles: await readFiles(folder) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function readFiles(folder: URL): Promise<Map<string, BuiltFile>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const contents = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder))] as const)),
  );
  const files = new Map<string, BuiltFile>();
  for (const [name, plain] of contents) {
    const type = TYPES[extname(name)];
    if (!type) continue;
    const [br, gzip] = [contents.get(`${name}.br`), contents.get(`${name}.gz`)];
    files.set(name, { type, plain, ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) });
  }
  return files;
}
