import type { Cluster } from './cluster.ts';
import type { Machine } from './machine.ts';
import { restoreFromBackup } from './restore-from-backup.ts';

export interface Fault {
  name: string;
  runs: number;
  isInSmallRun: boolean;
  /** How long it lasts until it is undone. */
  seconds: number;
  /** Causes it and returns what undoes it. */
  cause(cluster: Cluster): Promise<() => Promise<void> | void>;
}

const NOTHING = () => {};

export const FAULTS: Fault[] = [
  {
    name: 'primary-killed',
    runs: 3,
    isInSmallRun: true,
    seconds: 30,
    async cause(cluster) {
      const machine = await cluster.leader();
      await machine.crash();
      return async () => {
        await machine.start();
        machine.startServices();
      };
    },
  },
  {
    name: 'primary-lost', // for ever; a new machine with an empty disk takes its place
    runs: 2,
    isInSmallRun: false,
    seconds: 30,
    async cause(cluster) {
      const machine = await cluster.leader();
      await machine.destroy();
      return async () => {
        await machine.start();
        machine.startServices();
      };
    },
  },
  {
    name: 'restored-from-backup', // after a planned stop, so that the archive is complete
    runs: 1,
    isInSmallRun: false,
    seconds: 10,
    async cause(cluster) {
      await restoreFromBackup(cluster);
      return NOTHING;
    },
  },
  {
    name: 'primary-frozen',
    runs: 3,
    isInSmallRun: true,
    seconds: 35,
    async cause(cluster) {
      const machine = await cluster.leader();
      await machine.freeze();
      return () => machine.thaw();
    },
  },
  {
    name: 'postgres-killed',
    runs: 3,
    isInSmallRun: false,
    seconds: 10,
    async cause(cluster) {
      await (await cluster.leader()).killProcesses('postgres');
      return NOTHING; // Patroni starts it again
    },
  },
  {
    name: 'switchover',
    runs: 3,
    isInSmallRun: true,
    seconds: 10,
    async cause(cluster) {
      const machine = await cluster.leader();
      await machine.execute('postgres', 'patronictl -c /etc/patroni/config.yml switchover --force');
      return NOTHING;
    },
  },
  {
    name: 'standby-frozen',
    runs: 3,
    isInSmallRun: false,
    seconds: 20,
    async cause(cluster) {
      const primary = await cluster.leader();
      const machine = cluster.db.find(({ name }) => name !== primary.name) as Machine;
      await machine.freeze();
      return () => machine.thaw();
    },
  },
  {
    name: 'etcd-leader-frozen', // when it resumes, it revokes leases that the other members have renewed
    runs: 3,
    isInSmallRun: false,
    seconds: 35,
    async cause(cluster) {
      const machine = await cluster.etcdLeader();
      await machine.freeze();
      return () => machine.thaw();
    },
  },
  {
    name: 'etcd-away',
    runs: 2,
    isInSmallRun: false,
    seconds: 25,
    async cause(cluster) {
      const majority = cluster.etcd.slice(0, 2);
      await Promise.all(majority.map((machine) => machine.killProcesses('etcd')));
      return () => {
        for (const machine of majority) machine.startService('etcd');
      };
    },
  },
  {
    name: 'redis-master-killed',
    runs: 3,
    isInSmallRun: true,
    seconds: 15,
    async cause(cluster) {
      const machine = await cluster.redisMaster();
      await machine.killProcesses('redis-server');
      return () => machine.startService('redis');
    },
  },
  {
    name: 'haproxy-killed',
    runs: 2,
    isInSmallRun: false,
    seconds: 15,
    async cause(cluster) {
      const machine = await cluster.activeEdge();
      await machine.killProcesses('haproxy');
      return () => machine.startService('haproxy');
    },
  },
  {
    name: 'processes-killed', // the last run of every fault kills Navette's processes; here nothing else happens
    runs: 1,
    isInSmallRun: false,
    seconds: 30,
    cause: async () => NOTHING,
  },
];
