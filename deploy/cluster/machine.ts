import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { MachineEntry, RenderedFile } from './inventory.ts';

export interface Service {
  user: string;
  command: string;
}

export interface MachineOptions extends MachineEntry {
  /** Debian root with the engines; the machine writes to a layer of its own. */
  root: string;
  /** Folder for the machine's disk and logs. */
  folder: string;
  bridge: string;
  prefixLength: number;
  files: RenderedFile[];
  services: Record<string, Service>;
  /** Folders of this machine that are also folders of others: path on the machine, and here. */
  shared?: Record<string, string>;
}

export type Machine = ReturnType<typeof createMachine>;

/**
 * A machine of its own: host name, processes, network address and file system, in Linux namespaces. Its first process is
 * tini; the kernel ends every other process of the machine with it, and it ends with this process.
 */
export function createMachine({
  name,
  address,
  root,
  folder,
  bridge,
  prefixLength,
  files,
  services,
  shared = {},
}: MachineOptions) {
  const disk = join(folder, name);
  const link = `nv-${name}`;
  const logs = join(folder, 'logs');
  let init: { unshare: ChildProcess; pid: number } | null = null;
  const running = new Map<string, ChildProcess>();

  /** Writes the rendered files to a new disk. A disk that exists keeps its files: Sentinel has changed some. */
  function prepareDisk(): void {
    if (existsSync(disk)) return;
    for (const layer of ['upper', 'work', 'root']) mkdirSync(join(disk, layer), { recursive: true });
    mkdirSync(logs, { recursive: true });
    const users = readFileSync(join(root, 'etc/passwd'), 'utf8');
    const idOf = (user: string) => Number(new RegExp(`^${user}:x:(\\d+):`, 'm').exec(users)?.[1]);
    for (const { path, text, mode, owner } of files) {
      const target = join(disk, 'upper', path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text, { mode });
      chownSync(target, idOf(owner), 0);
      if (path.startsWith('/etc/redis/')) chownSync(dirname(target), idOf(owner), 0); // a rewritten file is a new one
    }
  }

  async function start(): Promise<void> {
    prepareDisk();
    const merged = join(disk, 'root');
    const binds = Object.entries(shared).map(([path, here]) => `mount --bind '${here}' '${merged}${path}'`);
    const script = [
      'set -e',
      `mount -t overlay overlay -o lowerdir='${root}',upperdir='${disk}/upper',workdir='${disk}/work' '${merged}'`,
      `mount -t proc proc '${merged}/proc'`,
      `mount --rbind /dev '${merged}/dev'`,
      `mount -t tmpfs tmpfs '${merged}/dev/shm'`,
      `mount -t tmpfs tmpfs '${merged}/run'`,
      ...binds,
      `mkdir -m 1777 '${merged}/run/postgresql' && hostname ${name} && ip link set lo up`,
      `exec chroot '${merged}' tini -- sleep infinity`,
    ].join('\n');
    const args = [
      '--pdeathsig',
      'KILL',
      'unshare',
      '--mount',
      '--net',
      '--pid',
      '--uts',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      script,
    ];
    const unshare = spawn('setpriv', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    unshare.stderr.pipe(createWriteStream(join(logs, `${name}.log`), { flags: 'a' }));
    const pid = await firstProcess(unshare, name);
    init = { unshare, pid };
    await run('ip', 'link', 'del', link).catch(() => {}); // of a crash whose network the kernel has not removed yet
    await run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
    await run('ip', 'link', 'set', link, 'master', bridge, 'up');
    await run('nsenter', '-t', String(pid), '-n', 'ip', 'addr', 'add', `${address}/${prefixLength}`, 'dev', 'eth0');
    await run('nsenter', '-t', String(pid), '-n', 'ip', 'link', 'set', 'eth0', 'up');
  }

  function enter(user: string, command: string): string[] {
    if (!init) throw new Error(`${name} is not running`);
    const as = user === 'root' ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'];
    const environment = ['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/tmp', 'LANG=C.UTF-8'];
    return ['-t', String(init.pid), '-m', '-n', '-p', '-u', '-r', '-w', ...as, ...environment, 'sh', '-c', command];
  }

  return {
    name,
    address,
    start,

    startService(service: string): void {
      const { user, command } = services[service] ?? {};
      if (!user || !command) throw new Error(`${name} has no service ${service}`);
      const child = spawn('nsenter', enter(user, command), { stdio: ['ignore', 'pipe', 'pipe'] });
      const log = createWriteStream(join(logs, `${name}-${service}.log`), { flags: 'a' });
      child.stdout.pipe(log, { end: false });
      child.stderr.pipe(log, { end: false });
      running.set(service, child);
    },

    startServices(): void {
      for (const service of Object.keys(services)) this.startService(service);
    },

    /** Runs a command on the machine and returns its output. */
    async execute(user: string, command: string): Promise<string> {
      const { stdout } = await promisify(execFile)('nsenter', enter(user, command));
      return stdout;
    },

    /** SIGKILL to every process of this name on the machine. */
    async killProcesses(programName: string): Promise<void> {
      await this.execute('root', `pkill -KILL -x ${programName}`);
    },

    /** Every process stops where it is, as when the machine hangs. Connections stay open. */
    async freeze(): Promise<void> {
      await this.execute('root', 'kill -STOP -1');
    },

    async thaw(): Promise<void> {
      await this.execute('root', 'kill -CONT -1');
      for (const child of running.values()) child.kill('SIGCONT'); // nsenter stops together with its command
    },

    /** The power fails: the network goes first, so that no connection is closed. */
    async crash(): Promise<void> {
      await run('ip', 'link', 'set', link, 'down');
      await this.stop();
    },

    /** The machine is lost, and its next start is that of a new one with an empty disk. */
    async destroy(): Promise<void> {
      await this.crash();
      rmSync(disk, { recursive: true });
    },

    /** Ends every process of the machine at once. */
    async stop(): Promise<void> {
      if (!init) return;
      const { unshare, pid } = init;
      init = null;
      const exited = once(unshare, 'exit');
      process.kill(pid, 'SIGKILL');
      await exited;
      for (const child of running.values()) child.kill('SIGKILL');
      running.clear();
    },
  };
}

const run = (file: string, ...args: string[]) => promisify(execFile)(file, args);

async function firstProcess(unshare: ChildProcess, name: string): Promise<number> {
  for (;;) {
    if (unshare.exitCode !== null) throw new Error(`machine ${name} does not start: see its log`);
    const children = unshare.pid ? readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, 'utf8') : '';
    const pid = Number(children.trim().split(' ')[0]);
    if (pid && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'tini') return pid;
    await setTimeout(20);
  }
}
