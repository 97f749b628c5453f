import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { failPower } from './power-failure.ts';

const run = promisify(execFile);
const INSTALLED = '/usr/lib/postgresql'; // Debian's folder for programs that are not in the path

export const hasPostgresPrograms = (): Promise<boolean> =>
  readdir(INSTALLED).then(
    (versions) => versions.length > 0,
    () => false,
  );

export interface PrivatePostgres {
  /** Names a database that does not exist yet. */
  url: string;
  /** Folder of its socket, and the data directory. */
  folder: string;
  data: string;
  start(): Promise<void>;
  /** A power failure: connections are not closed properly, what was not synchronised is lost, and the next start recovers. */
  crash(): Promise<void>;
  /** Ends all connections to its databases, as a network that breaks. */
  cutConnections(): Promise<void>;
  /** Ends the server and keeps its data. */
  stop(): Promise<void>;
  /** Ends the server and deletes everything. */
  remove(): Promise<void>;
}

export interface PrivateStandby extends PrivatePostgres {
  /** Makes it a primary, on a new timeline. */
  promote(): Promise<void>;
}

/** Runs a program of PostgreSQL. */
type Call = (program: string, ...args: string[]) => Promise<unknown>;

/**
 * A PostgreSQL that a test may crash, always on the same port. It refuses to run as root, so root starts it as the user
 * postgres. `changes` are settings of the server. `folder` may hold the data of an earlier one.
 */
export async function startPrivatePostgres(
  changes: Record<string, string> = {},
  folder?: string,
): Promise<PrivatePostgres> {
  return startServer(
    changes,
    async (call, data) => {
      if (existsSync(data)) return;
      await call('initdb', '--no-sync', '--auth=trust', '--username=navette', '--locale=C.UTF-8', `--pgdata=${data}`);
    },
    folder,
  );
}

/** Follows the primary by streaming replication. */
export async function startPrivateStandby({ url }: PrivatePostgres): Promise<PrivateStandby> {
  const { hostname, port } = new URL(url);
  return startServer({}, (call, data) =>
    call(
      'pg_basebackup',
      ...['--no-sync', '--checkpoint=fast', '--write-recovery-conf', '--username=navette'],
      ...[`--host=${hostname}`, `--port=${port}`, `--pgdata=${data}`],
    ),
  );
}

async function startServer(
  changes: Record<string, string>,
  prepare: (call: Call, data: string) => Promise<unknown>,
  kept?: string,
): Promise<PrivateStandby> {
  const [version] = (await readdir(INSTALLED)).sort((a, b) => Number(b) - Number(a));
  const programs = join(INSTALLED, version ?? '', 'bin');
  const isRoot = userInfo().uid === 0;
  const call: Call = (program, ...args) => {
    const command = [join(programs, program), ...args];
    return isRoot ? run('runuser', ['-u', 'postgres', '--', ...command]) : run(command[0] as string, command.slice(1));
  };
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'navette-postgres-')));
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  const port = await freePort();
  await prepare(call, data);

  const control = (...args: string[]) => call('pg_ctl', `--pgdata=${data}`, '--wait', '--timeout=300', ...args);
  const extra = Object.entries(changes).map(([name, value]) => ` -c ${name}='${value}'`);
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}${extra.join('')}`;
  const start = async () => void (await control('--log', join(folder, 'log'), '--options', settings, 'start'));
  await start();
  return {
    url: `postgres://navette@127.0.0.1:${port}/navette`,
    folder,
    data,
    start,
    crash: () => failPower(data, `postgres://navette@127.0.0.1:${port}/postgres`),
    async cutConnections() {
      const query = `select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`;
      await call('psql', `--host=${folder}`, `--port=${port}`, '--username=navette', `--command=${query}`, 'postgres');
    },
    promote: async () => void (await control('promote')),
    stop: async () => void (await control('--mode=fast', 'stop')),
    async remove() {
      await control('--mode=immediate', 'stop').catch(() => {}); // it may be down already
      await rm(folder, { recursive: true, force: true });
    },
  };
}
