/** `npm run cluster`: the reference cluster on this machine, until Ctrl-C. docs/operators/cluster.md describes it. */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { removeCluster, startCluster } from './cluster.ts';
import { readInventory } from './inventory.ts';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    inventory: { type: 'string', default: join(import.meta.dirname, 'inventory.json') },
    folder: { type: 'string' },
  },
});
if (values.help) {
  console.log(`Usage: npm run cluster -- [--inventory FILE] [--folder DIR]

Starts PostgreSQL with Patroni, etcd, HAProxy with a virtual address, Redis with Sentinel, each machine of the inventory
in namespaces of its own. Needs root and debootstrap. The first start installs the engines (2 minutes) into
NAVETTE_CLUSTER_CACHE, by default ~/.cache/navette-cluster. Ctrl-C ends every process.

  --folder DIR   keeps disks and logs there; by default a temporary folder, which is removed`);
} else {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'navette-cluster-'));
  const began = performance.now();
  const print = (line: string) => console.log(line);
  const cluster = await startCluster(readInventory(values.inventory), folder, print, interrupted.signal);
  console.log(`
ready after ${((performance.now() - began) / 1000).toFixed(0)} s

export DATABASE_URL=${cluster.databaseUrl}
export REDIS_URL=${cluster.redisUrl}

Patroni     http://${(await cluster.leader()).address}:8008/cluster
Logs        ${join(folder, 'logs')}

Ctrl-C ends everything.`);
  if (!interrupted.signal.aborted) await once(interrupted.signal, 'abort');
  await cluster.stop();
  if (!values.folder) removeCluster(folder);
  process.exit(0);
}
