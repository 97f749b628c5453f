import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { isRunning, postmasterOf, useOwnFolders } from '../test/emulator-process.ts';

const COMMAND = join(import.meta.dirname, '../bin/navette-emulator.js');
const folders = useOwnFolders();
afterAll(() => folders.remove());

async function start(): Promise<{ child: ChildProcess; folder: string; postmaster: number; guard: number }> {
  const before = folders.runFolders();
  const child = spawn(process.execPath, [COMMAND, '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface({ input: child.stdout }), 'line');
  const [folder = ''] = folders.runFolders().filter((name) => !before.includes(name));
  const postmaster = postmasterOf(folder);
  return { child, folder, postmaster, guard: parentOf(postmaster) };
}

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

test('when the emulator is killed, its PostgreSQL ends and its files are deleted', async () => {
  const { child, folder, postmaster } = await start();
  child.kill('SIGKILL');
  await eventually(() => expect(isRunning(postmaster)).toBe(false));
  await eventually(() => expect(folders.runFolders()).not.toContain(folder));
});

test('when everything but PostgreSQL is killed, the next start ends it; a running emulator goes on', async () => {
  const other = await start();
  const { child, folder, postmaster, guard } = await start();
  process.kill(guard, 'SIGSTOP'); // or it would end PostgreSQL before it is killed
  child.kill('SIGKILL');
  await once(child, 'exit');
  process.kill(guard, 'SIGKILL');
  expect(isRunning(postmaster)).toBe(true);
  const next = await start();
  await eventually(() => expect(isRunning(postmaster)).toBe(false));
  expect(folders.runFolders()).toEqual(expect.arrayContaining([other.folder, next.folder]));
  expect(folders.runFolders()).not.toContain(folder);
  for (const one of [other, next]) {
    one.child.kill('SIGTERM');
    expect(await once(one.child, 'exit')).toEqual([0, null]);
  }
});

test('when PostgreSQL is killed, the emulator reports it and ends', async () => {
  const { child, folder, postmaster } = await start();
  process.kill(postmaster, 'SIGKILL');
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(folders.runFolders()).not.toContain(folder);
});
