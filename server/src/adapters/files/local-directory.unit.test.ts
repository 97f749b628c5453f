import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLocalDirectory } from './local-directory.ts';

const NAME = 'bordereau_ABC_00000000000000000000000000000a1f.pdf'; // stored in the folder 1f

let parent: string;
let umask: number;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'navette-store-'));
  umask = process.umask(0); // the widest permissions
});
afterEach(async () => {
  process.umask(umask);
  await rm(parent, { recursive: true });
});

const modeOf = async (...path: string[]) => ((await stat(join(parent, ...path))).mode & 0o777).toString(8);

test('only the owner can read files and folders, with any umask', async () => {
  const store = createLocalDirectory(join(parent, 'labels'));
  await store.write(NAME, Buffer.from('somebody’s address'));
  expect(await readdir(join(parent, 'labels', '1f'))).toEqual([NAME]);
  expect(await modeOf('labels', '1f', NAME)).toBe('600');
  expect(await modeOf('labels', '1f')).toBe('700');
  expect(await modeOf('labels')).toBe('700');
});

test('opening the store restricts folders with wider permissions, which protects the files in them', async () => {
  await mkdir(join(parent, 'labels', '1f'), { recursive: true });
  await chmod(join(parent, 'labels'), 0o755);
  const store = createLocalDirectory(join(parent, 'labels'));
  expect(await modeOf('labels')).toBe('700');
  expect(await modeOf('labels', '1f')).toBe('700');
  expect(await store.read(NAME)).toBe(null);
});

test('a missing directory is created by the first write', async () => {
  const store = createLocalDirectory(join(parent, 'later', 'labels'));
  expect(await store.read(NAME)).toBe(null);
  await store.write(NAME, Buffer.from('kept'));
  expect(await store.read(NAME)).toEqual(Buffer.from('kept'));
});

test('a deleted file is gone, and a second deletion is no error', async () => {
  const store = createLocalDirectory(join(parent, 'labels'));
  await store.write(NAME, Buffer.from('somebody’s address'));
  for (const _ of ['once', 'again']) await store.delete(NAME);
  expect(await store.read(NAME)).toBe(null);
  expect(await readdir(join(parent, 'labels', '1f'))).toEqual([]);
});

test('old partial files are deleted; recent ones, which may still be written, stay', async () => {
  const store = createLocalDirectory(join(parent, 'labels'));
  await store.deleteUnfinished(new Date()); // no files yet
  await store.write(NAME, Buffer.from('kept'));
  const unfinished = join(parent, 'labels', 'unfinished');
  expect(await modeOf('labels', 'unfinished')).toBe('700');
  for (const name of ['old', 'new']) await writeFile(join(unfinished, name), 'half an addr');
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await utimes(join(unfinished, 'old'), anHourAgo, anHourAgo);
  await store.deleteUnfinished(new Date(Date.now() - 60_000));
  expect(await readdir(unfinished)).toEqual(['new']);
  expect(await store.read(NAME)).toEqual(Buffer.from('kept'));
});
