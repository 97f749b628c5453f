import { setTimeout } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { DATA_DIRECTORY } from './inventory.ts';
import type { Machine } from './machine.ts';

const PATRONICTL = 'patronictl -c /etc/patroni/config.yml';
const CHANGES_AFTER_THE_BACKUP_MS = 5_000;

/** The steps of docs/operators/backup.md, "Restore a cluster": every data directory is replaced by what the repository has. */
export async function restoreFromBackup({ name, db, etcd, leader }: Cluster): Promise<void> {
  const primary = await leader();
  const standbys = db.filter((machine) => machine !== primary);
  await primary.execute('postgres', `pgbackrest --stanza=${name} --type=full backup`);
  await setTimeout(CHANGES_AFTER_THE_BACKUP_MS); // they are in the archive only

  await primary.execute('postgres', `${PATRONICTL} pause --wait`); // otherwise a standby takes over
  for (const machine of [primary, ...standbys]) {
    await machine.execute('root', 'pkill -TERM -x patroni');
    await untilEnded(machine, 'patroni');
    await machine.execute('postgres', `/usr/lib/postgresql/17/bin/pg_ctl -D ${DATA_DIRECTORY} -m fast stop`);
    await machine.execute('postgres', `mv ${DATA_DIRECTORY} ${DATA_DIRECTORY}.broken`);
  }

  await primary.execute('postgres', `mkdir -m 700 ${DATA_DIRECTORY} && pgbackrest --stanza=${name} restore`);
  const [member] = etcd as [Machine];
  await member.execute('root', `etcdctl --endpoints=${member.address}:2379 del --prefix /service/${name}/`);
  primary.startService('patroni');
  while ((await leader().catch(() => null)) !== primary) await setTimeout(500);
  for (const machine of standbys) machine.startService('patroni');
}

async function untilEnded(machine: Machine, program: string): Promise<void> {
  while (await machine.execute('root', `pgrep -x ${program} || true`)) await setTimeout(100);
}
