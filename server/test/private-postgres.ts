import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const INSTALLED = '/usr/lib/postgresql'; // where Debian keeps the programs that are not in the path

export interface PrivatePostgres {
  /** Of a database that does not exist yet. */
  url: string;
  start(): Promise<void>;
  /** As if its machine had lost power: no connection is told, and the next start recovers. */
  crash(): Promise<void>;
  /** Ends the server and deletes everything. */
  remove(): Promise<void>;
}

/** A PostgreSQL that a test may crash, always on the same port. It refuses to run as root, so root lends it a user. */
export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const [version] = (await readdir(INSTALLED)).sort((a, b) => Number(b) - Number(a));
  const programs = join(INSTALLED, version ?? '', 'bin');
  const isRoot = userInfo().uid === 0;
  const call = (program: string, ...args: string[]) => {
    const command = [join(programs, program), ...args];
    return isRoot ? run('runuser', ['-u', 'postgres', '--', ...command]) : run(command[0] as string, command.slice(1));
  };
  const folder = await mkdtemp(join(tmpdir(), 'navette-postgres-'));
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  const port = await freePort();
  await call('initdb', '--no-sync', '--auth=trust', '--username=navette', '--encoding=UTF8', `--pgdata=${data}`);

  const control = (...args: string[]) => call('pg_ctl', `--pgdata=${data}`, '--wait', ...args);
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
  const start = async () => void (await control('--log', join(folder, 'log'), '--options', settings, 'start'));
  const crash = async () => void (await control('--mode=immediate', 'stop'));
  await start();
  return {
    url: `postgres://navette@127.0.0.1:${port}/navette`,
    start,
    crash,
    async remove() {
      await crash().catch(() => {}); // it may be down already
      await rm(folder, { recursive: true, force: true });
    },
  };
}
