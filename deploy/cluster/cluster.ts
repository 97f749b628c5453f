import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createPool } from '../../server/src/database/database.ts';
import { prepareEnginesRoot } from './engines-root.ts';
import { type Inventory, type Role, readPasswords, renderMachine } from './inventory.ts';
import { createMachine, type Machine, type Service } from './machine.ts';

const BRIDGE = 'navette0';
const READY_WITHIN_MS = 180_000;

const SERVICES: Record<Role, Record<string, Service>> = {
  db: {
    patroni: { user: 'postgres', command: '/etc/patroni/check-version && exec patroni /etc/patroni/config.yml' },
    sentinel: { user: 'redis', command: 'exec redis-sentinel /etc/redis/sentinel.conf --daemonize no' },
  },
  etcd: {
    etcd: { user: 'etcd', command: 'set -a; . /etc/default/etcd; exec etcd --logger zap --log-level warn' },
  },
  edge: {
    redis: { user: 'redis', command: 'exec redis-server /etc/redis/redis.conf --daemonize no' },
    haproxy: { user: 'root', command: 'exec haproxy -db -f /etc/haproxy/haproxy.cfg' },
    keepalived: {
      user: 'root',
      command: 'exec keepalived --dont-fork --log-console -f /etc/keepalived/keepalived.conf',
    },
  },
};

export interface Member {
  name: string;
  role: string;
  state: string;
  lag?: number | string;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** All machines of the inventory except Navette's own, as namespaces of this machine. Needs root. */
export async function startCluster(
  inventory: Inventory,
  folder: string,
  log: (line: string) => void,
  interrupted: AbortSignal,
) {
  if (process.getuid?.() !== 0) throw new Error('needs root: every machine has a network and a file system of its own');
  const root = prepareEnginesRoot(log);
  const backups = join(folder, 'backups');
  mkdirSync(backups, { recursive: true });
  const passwords = readPasswords(join(folder, 'passwords.json'));
  const { prefixLength, virtualAddress } = inventory;
  const here: Inventory = { ...inventory, watchdog: 'off' }; // a namespace has no watchdog device
  const create = (role: Role) =>
    inventory[role].map((entry) =>
      createMachine({
        ...entry,
        ...{ root, folder, bridge: BRIDGE, prefixLength },
        files: renderMachine(here, passwords, role, entry),
        services: SERVICES[role],
        ...(role === 'db' ? { shared: { '/var/lib/pgbackrest': backups } } : {}),
      }),
    );
  const db = create('db');
  const etcd = create('etcd');
  const edge = create('edge');
  const machines = [...etcd, ...db, ...edge];
  const databaseUrl = `postgres://navette:${passwords.navette}@${virtualAddress}:5000/navette`;
  const redisUrl = `redis://:${passwords.redis}@${virtualAddress}:6380`;
  const askRedis = (machine: Machine, where: string, command: string) =>
    machine.execute('root', `redis-cli ${where} -a ${passwords.redis} --no-auth-warning ${command}`).catch(() => '');
  const redisRoles = () => Promise.all(edge.map((machine) => askRedis(machine, `-h ${machine.address}`, 'role')));

  async function stop(): Promise<void> {
    await Promise.all(machines.map((machine) => machine.stop()));
    await removeBridge();
  }

  /** Members as Patroni sees them, from the first machine that answers. */
  async function members(): Promise<Member[]> {
    const answers = db.map(async ({ address }) => {
      const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) });
      return ((await response.json()) as { members: Member[] }).members;
    });
    return Promise.any(answers).catch(() => []);
  }

  async function isHealthy(): Promise<boolean> {
    const all = await members();
    const standbys = all.filter(({ role, state }) => role === 'quorum_standby' && state === 'streaming');
    const leads = all.some(({ role, state }) => role === 'leader' && state === 'running');
    if (!leads || standbys.length !== db.length - 1) return false;
    const roles = await redisRoles();
    const masters = roles.filter((role) => role.startsWith('master'));
    const replicas = roles.filter((role) => role.startsWith('slave') && role.includes('connected'));
    if (masters.length !== 1 || replicas.length !== edge.length - 1) return false;
    const [asker] = edge;
    const pong = asker && (await askRedis(asker, `-h ${virtualAddress} -p 6380`, 'ping'));
    return pong?.trim() === 'PONG' && (await acceptsWrites(databaseUrl));
  }

  /** One primary with every standby in its quorum, one Redis master with its replica, both behind the virtual address. */
  async function untilHealthy(): Promise<void> {
    const since = performance.now();
    while (!(await isHealthy())) {
      interrupted.throwIfAborted();
      if (performance.now() - since > READY_WITHIN_MS)
        throw new Error(`the cluster is not ready; see ${folder}/logs: ${JSON.stringify(await members())}`);
      await setTimeout(500);
    }
  }

  await addBridge(inventory);
  try {
    await Promise.all(machines.map((machine) => machine.start()));
    for (const machine of machines) machine.startServices();
    log(`starting ${machines.map(({ name }) => name).join(', ')}`);
    await untilHealthy();
    const primary = await leader();
    await primary.execute('root', 'chown postgres /var/lib/pgbackrest');
    await primary.execute('postgres', `pgbackrest --stanza=${inventory.cluster} stanza-create`);
  } catch (error) {
    await stop();
    throw error;
  }

  async function leader(): Promise<Machine> {
    const name = (await members()).find(({ role }) => role === 'leader')?.name;
    const machine = db.find((one) => one.name === name);
    if (!machine) throw new Error('the cluster has no primary');
    return machine;
  }

  return {
    name: inventory.cluster,
    db,
    etcd,
    databaseUrl,
    redisUrl,
    apiUrl: `http://${virtualAddress}:8080`,
    members,
    leader,
    untilHealthy,
    async redisMaster(): Promise<Machine> {
      const roles = await redisRoles();
      const machine = edge[roles.findIndex((role) => role.startsWith('master'))];
      if (!machine) throw new Error('Redis has no master');
      return machine;
    },
    async etcdLeader(): Promise<Machine> {
      for (const machine of etcd) {
        const status = await machine.execute('root', `etcdctl --endpoints=${machine.address}:2379 endpoint status`);
        if (status.split(', ')[4] === 'true') return machine;
      }
      throw new Error('etcd has no leader');
    },
    /** The edge machine that has the virtual address. */
    async activeEdge(): Promise<Machine> {
      for (const machine of edge) {
        if ((await machine.execute('root', 'ip -o addr')).includes(` ${virtualAddress}/`)) return machine;
      }
      throw new Error('no machine has the virtual address');
    },
    stop,
  };
}

const ip = (...args: string[]) => promisify(execFile)('ip', args);

/** A switch between the machines. This machine has the addresses of the app machines on it. */
async function addBridge({ app, prefixLength }: Inventory): Promise<void> {
  const existing = await ip('-o', 'link', 'show', BRIDGE).catch(() => null);
  const owner = /alias (\d+)/.exec(existing?.stdout ?? '')?.[1];
  if (owner && existsSync(`/proc/${owner}`)) throw new Error(`process ${owner} runs a cluster already`);
  if (existing) await removeBridge();
  await ip('link', 'add', BRIDGE, 'type', 'bridge');
  for (const { address } of app) await ip('addr', 'add', `${address}/${prefixLength}`, 'dev', BRIDGE);
  await ip('link', 'set', BRIDGE, 'up', 'alias', String(process.pid));
}

/** With the links of its machines: the kernel keeps those whose connections it still tries to close. */
async function removeBridge(): Promise<void> {
  const { stdout } = await ip('-o', 'link', 'show', 'master', BRIDGE);
  for (const [, link = ''] of stdout.matchAll(/^\d+: ([^@:]+)/gm)) await ip('link', 'del', link).catch(() => {});
  await ip('link', 'del', BRIDGE);
}

async function acceptsWrites(databaseUrl: string): Promise<boolean> {
  const pool = createPool({ databaseUrl, size: 1, timeLimitMs: 2_000 });
  try {
    const { rows } = await pool.query('select not pg_is_in_recovery() as writable');
    return (rows[0] as { writable: boolean }).writable;
  } catch {
    return false;
  } finally {
    await pool.end();
  }
}

/** Removes the disks and logs of a cluster that was stopped. */
export const removeCluster = (folder: string): void => rmSync(folder, { recursive: true, force: true });
