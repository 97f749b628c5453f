import { setTimeout } from 'node:timers/promises';
import { type NavetteProcess, startNavette } from '../../server/test/navette-process.ts';
import type { Fault } from './faults.ts';

const WORKERS = 2;
const API_PAUSE_MS = 5_000;
const WORKER_PAUSE_MS = 20_000; // longer than the heartbeat of any job
const [MOST_TRIES, BETWEEN_TRIES_MS] = [50, 500];

/** The processes of the service: api processes on fixed ports, and workers. */
export interface ServiceProcesses {
  /** SIGKILL and a restart of each process. A worker, then an api process: both kinds early, however short the day. */
  kills: Fault[];
  /** SIGSTOP of each process for some seconds; of a worker for so long that others take its jobs over. */
  pauses: Fault[];
  /** Asks all processes to stop; each finishes its pending work. */
  stopAll(): Promise<void>;
  /** Processes that ended by themselves, or did not stop well. */
  crashes(): string[];
  /** The log lines of all processes. */
  logged(): string[];
  leave(): void;
}

interface Role {
  name: string;
  args: string[];
  environment: Record<string, string>;
  now: NavetteProcess;
}

export async function startServiceProcesses(
  environment: Record<string, string>,
  ports: number[],
): Promise<ServiceProcesses> {
  const wanted = [
    ...ports.map((port, i) => ({
      name: `api ${i + 1}`,
      args: ['api'],
      environment: { ...environment, PORT: `${port}` },
    })),
    ...Array.from({ length: WORKERS }, (_, i) => ({ name: `worker ${i + 1}`, args: ['worker'], environment })),
  ];
  const started: NavetteProcess[] = [];
  const crashes: string[] = [];
  const expected = new Set<NavetteProcess>(); // to run until they are asked to end
  const leaving = new AbortController();
  /** Tries again like a supervisor: a process cannot start while PostgreSQL is down. */
  const start = async (role: Omit<Role, 'now'>, tries = MOST_TRIES): Promise<NavetteProcess> => {
    const running = await startNavette(role.args, role.environment, leaving.signal).catch((error: unknown) => {
      if (tries === 0 || leaving.signal.aborted) throw error;
      return null;
    });
    if (!running) return setTimeout(BETWEEN_TRIES_MS).then(() => start(role, tries - 1));
    started.push(running);
    expected.add(running);
    void running.exited.then((code) => {
      if (expected.delete(running)) crashes.push(`${role.name} ended by itself with exit code ${code}`);
    });
    return running;
  };
  const leave = () => {
    expected.clear();
    leaving.abort();
  };
  const roles: Role[] = await Promise.all(wanted.map(async (role) => ({ ...role, now: await start(role, 0) }))).catch(
    (error: unknown) => {
      leave();
      throw error;
    },
  );

  async function kill(role: Role): Promise<void> {
    expected.delete(role.now);
    role.now.process.kill('SIGKILL');
    await role.now.exited; // also of one that had ended by itself, which is a crash
    role.now = await start(role);
  }

  /** It runs on by itself, while other faults follow. */
  async function pause({ name, now: { process: child } }: Role): Promise<void> {
    child.kill('SIGSTOP');
    globalThis.setTimeout(() => child.kill('SIGCONT'), name.startsWith('worker') ? WORKER_PAUSE_MS : API_PAUSE_MS);
  }

  const turns = [roles.at(-1), roles[0], roles.at(-2), roles[1]] as Role[];
  return {
    kills: turns.map((role) => ({ name: `kill -9 ${role.name}`, strike: () => kill(role) })),
    pauses: turns.map((role) => ({ name: `SIGSTOP ${role.name}`, strike: () => pause(role) })),
    async stopAll() {
      const stop = async ({ name, now }: Role) => {
        if (!expected.delete(now)) return;
        const code = await now.stop();
        if (code !== 0) crashes.push(`${name} stopped with exit code ${code}`);
      };
      await Promise.all(roles.map(stop));
    },
    crashes: () => crashes,
    logged: () => started.flatMap((running) => running.logged().split('\n')),
    leave,
  };
}
