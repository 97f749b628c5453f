import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync } from 'node:fs';
import { lchown, mkdir, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../../server/src/network/free-port.ts';
import type { GuardTask } from './guard.ts';
import type { SystemUser } from './unprivileged-user.ts';

const run = promisify(execFile);
const GUARD = fileURLToPath(new URL(`./guard${extname(import.meta.url)}`, import.meta.url));
const USER = 'navette';

/** For data that nobody misses after a power failure, few connections, and a quick start. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '64MB',
  max_connections: '100',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
};

export interface Cluster {
  /** PostgreSQL's programs. */
  programs: string;
  user: SystemUser | null;
  /** Has the data in `data`. */
  folder: string;
}

export interface RunningPostgres {
  urlOf(database: string): string;
  /** Resolves when the server has ended although nobody stopped it. */
  crashed: Promise<void>;
  /** A fast shutdown, after which the data can be copied. */
  stop(): Promise<void>;
}

/** Creates an empty cluster. */
export async function initialise({ programs, user, folder }: Cluster): Promise<void> {
  const data = await createDataFolder(folder, user);
  // The built-in provider orders and folds texts in the same way on every system.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  const args = ['--no-sync', '--no-instructions', '--auth=trust', `--username=${USER}`, '--wal-segsize=1'];
  await run(join(programs, 'bin/initdb'), [...args, ...locale, `--pgdata=${data}`], { cwd: '/', ...user });
}

/** The folder `data`, which belongs to the user that PostgreSQL runs as. */
async function createDataFolder(folder: string, user: SystemUser | null): Promise<string> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (user) chownSync(data, user.uid, user.gid);
  return data;
}

/** Gives a copied cluster to the user that PostgreSQL runs as. */
export async function takeOver({ user, folder }: Cluster): Promise<void> {
  if (!user) return;
  const files = await readdir(join(folder, 'data'), { recursive: true });
  for (const file of ['', ...files]) await lchown(join(folder, 'data', file), user.uid, user.gid);
}

export async function startPostgres({ programs, user, folder }: Cluster): Promise<RunningPostgres> {
  const port = await freePort();
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', join(folder, 'data'), '-p', String(port), ...settings];
  const task: GuardTask = { program: join(programs, 'bin/postgres'), args, user, folder };
  // A process group of its own: Ctrl+C in a terminal must not end PostgreSQL before the service.
  const guard = spawn(process.execPath, ['--no-warnings', GUARD, JSON.stringify(task)], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  guard.stdin.on('error', () => {}); // it may have ended already
  const exited = once(guard, 'exit');
  let isStopping = false;
  const crashed = new Promise<void>((resolve) => guard.once('exit', () => isStopping || resolve()));
  const urlOf = (database: string) => `postgres://${USER}@127.0.0.1:${port}/${database}`;
  await waitUntilReady(urlOf('postgres'), crashed, () => readFileSync(join(folder, 'postgres.log'), 'utf8'));
  return {
    urlOf,
    crashed,
    async stop() {
      isStopping = true;
      guard.stdin.write('stop\n');
      await exited;
    },
  };
}

async function waitUntilReady(url: string, crashed: Promise<void>, readLog: () => string): Promise<void> {
  let hasEnded = false;
  void crashed.then(() => (hasEnded = true));
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch {
      if (hasEnded) throw new Error(`PostgreSQL did not start:\n${readLog()}`);
      await setTimeout(20);
    }
  }
}
