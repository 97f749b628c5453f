import { randomBytes } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface MachineEntry {
  name: string;
  address: string;
}

/** deploy/cluster/inventory.json: every name and address of a cluster. */
export interface Inventory {
  cluster: string;
  prefixLength: number;
  interface: string;
  virtualAddress: string;
  /** Patroni's watchdog mode: `required` on real machines. */
  watchdog: 'required' | 'automatic' | 'off';
  sharedBuffers: string;
  /** PostgreSQL, Patroni and Sentinel. */
  db: MachineEntry[];
  /** Machines of its own: an etcd that resumes together with a primary can help it take the leader key back. */
  etcd: MachineEntry[];
  /** HAProxy, keepalived and Redis. */
  edge: MachineEntry[];
  /** Navette's own processes. */
  app: MachineEntry[];
}

/** Kinds of machines whose files are rendered. */
export const ROLES = ['db', 'etcd', 'edge'] as const;
export type Role = (typeof ROLES)[number];

const PASSWORDS = ['postgres', 'replication', 'rewind', 'navette', 'redis', 'keepalived'] as const;
export type Passwords = Record<(typeof PASSWORDS)[number], string>;

const TEMPLATES = join(import.meta.dirname, 'templates');
const PGBACKREST = join(import.meta.dirname, '../backup/pgbackrest.conf');
export const DATA_DIRECTORY = '/var/lib/postgresql/17/navette';

const OWNERS = [
  ['/etc/patroni/', 'postgres'],
  ['/etc/pgbackrest.conf', 'postgres'],
  ['/etc/default/etcd', 'etcd'],
  ['/etc/redis/', 'redis'],
] as const;

export const readInventory = (file: string): Inventory => JSON.parse(readFileSync(file, 'utf8')) as Inventory;

/** The passwords in this file; creates it with random ones if it does not exist. */
export function readPasswords(file: string): Passwords {
  if (!existsSync(file)) {
    // keepalived uses the first eight characters only
    const random = PASSWORDS.map((name) => [name, randomBytes(name === 'keepalived' ? 4 : 16).toString('hex')]);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(random), null, 2)}\n`, { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Passwords;
}

export interface RenderedFile {
  /** Absolute path on the machine. */
  path: string;
  text: string;
  mode: number;
  /** The user who reads it; Sentinel and Redis also write theirs. */
  owner: string;
}

/** Every configuration file of a machine. */
export function renderMachine(
  inventory: Inventory,
  passwords: Passwords,
  role: Role,
  machine: MachineEntry,
): RenderedFile[] {
  const folder = join(TEMPLATES, role);
  const files = globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const sources = files.map((file) => ({ file, path: `/${relative(folder, file)}` }));
  if (role === 'db') sources.push({ file: PGBACKREST, path: '/etc/pgbackrest.conf' });
  const values = valuesFor(inventory, passwords, machine);
  const lists = { ...inventory, peer: inventory.edge.filter(({ name }) => name !== machine.name) };
  return sources.map(({ file, path }) => ({
    path,
    text: fillIn(readFileSync(file, 'utf8'), values, lists),
    mode: statSync(file).mode & 0o100 ? 0o750 : 0o640,
    owner: OWNERS.find(([folder]) => path.startsWith(folder))?.[1] ?? 'root',
  }));
}

function valuesFor(inventory: Inventory, passwords: Passwords, { name, address }: MachineEntry) {
  const [firstEdge] = inventory.edge;
  if (!firstEdge) throw new Error('the inventory names no edge machine');
  const secrets = Object.entries(passwords).map(([of, password]) => [`secret.${of}`, password]);
  return {
    ...(Object.fromEntries(secrets) as Record<string, string>),
    cluster: inventory.cluster,
    name,
    address,
    interface: inventory.interface,
    virtual_address: inventory.virtualAddress,
    prefix_length: String(inventory.prefixLength),
    watchdog: inventory.watchdog,
    shared_buffers: inventory.sharedBuffers,
    data_directory: DATA_DIRECTORY,
    etcd_hosts: inventory.etcd.map(({ address }) => `"${address}:2379"`).join(', '),
    etcd_cluster: inventory.etcd.map(({ name, address }) => `${name}=http://${address}:2380`).join(','),
    edge1_address: firstEdge.address,
    replica_of: name === firstEdge.name ? '' : `replicaof ${firstEdge.address} 6379`,
    keepalived_priority: String(100 - inventory.edge.findIndex((edge) => edge.name === name)),
  } as Record<string, string>;
}

/** `{{name}}` is a value. A line with `{{db.address}}` is repeated for every machine of that list. */
function fillIn(
  text: string,
  values: Record<string, string>,
  lists: Record<'db' | 'edge' | 'app' | 'peer', MachineEntry[]>,
) {
  const repeated = text.replaceAll(/^.*\{\{(db|edge|app|peer)\..*\n/gm, (line, list: keyof typeof lists) =>
    lists[list]
      .map(({ name, address }) => line.replaceAll(`{{${list}.name}}`, name).replaceAll(`{{${list}.address}}`, address))
      .join(''),
  );
  return repeated.replaceAll(/\{\{([\w.]+)\}\}/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a template names the unknown value ${name}`);
    return value;
  });
}
