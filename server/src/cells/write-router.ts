import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Directory } from './directory.ts';
import { type RouterFiles, renderRouter } from './render-router.ts';

type FileName = keyof RouterFiles;

/** Writes the files that have changed and returns their names. Each is replaced at once: HAProxy never reads half of one. */
export async function writeRouter(directory: Directory, folder: string, bind: string): Promise<FileName[]> {
  const [cells, moved] = [await directory.listCells(), await directory.listMovedTokens()];
  const files = renderRouter(cells, moved, { directory: resolve(folder), bind });
  await mkdir(folder, { recursive: true });
  const changed: FileName[] = [];
  for (const [name, content] of Object.entries(files) as [FileName, string][]) {
    const path = join(folder, name);
    if ((await readFile(path, 'utf8').catch(() => null)) === content) continue;
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
    changed.push(name);
  }
  return changed;
}

/**
 * Gives a running router the entries of a changed map. They are added to a new version of the map, which then replaces the
 * old one: no request sees a part of it.
 */
export async function applyMap(folder: string, name: FileName): Promise<void> {
  const path = resolve(folder, name);
  const entries = (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  const socket = join(resolve(folder), 'admin.sock');
  const prepared = await command(socket, `prepare map ${path}`);
  const version = /New version created: (\d+)/.exec(prepared)?.[1];
  if (!version) throw new Error(`HAProxy refused a new version of ${name}: ${prepared.trim()}`);
  for (const entry of entries) await expectSilence(socket, `add map @${version} ${path} ${entry}`);
  await expectSilence(socket, `commit map @${version} ${path}`);
}

async function expectSilence(socket: string, line: string): Promise<void> {
  const answer = (await command(socket, line)).trim();
  if (answer !== '') throw new Error(`HAProxy refused "${line.split(' ', 2).join(' ')}": ${answer}`);
}

function command(socket: string, line: string): Promise<string> {
  const connection = createConnection(socket);
  connection.end(`${line}\n`);
  return text(connection);
}
