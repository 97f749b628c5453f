import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { type NavetteProcess, startNavette } from '../../server/test/navette-process.ts';

const WORKERS = 2;

/** The processes of the service: api processes on fixed ports, and workers. */
export interface ServiceProcesses {
  /** Kills one process after the other with SIGKILL and restarts it, until the signal. */
  killInTurn(everyMs: number, signal: AbortSignal, onKill: (who: string) => void): Promise<void>;
  /** Asks all processes to stop; each finishes its pending work. */
  stopAll(): Promise<void>;
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
  const start = async ({ args, environment }: Omit<Role, 'now'>) => {
    const running = await startNavette(args, environment);
    started.push(running);
    return running;
  };
  const leave = () => {
    for (const { process: child } of started) child.kill('SIGKILL');
  };
  const roles: Role[] = await Promise.all(wanted.map(async (role) => ({ ...role, now: await start(role) }))).catch(
    (error: unknown) => {
      leave();
      throw error;
    },
  );

  async function kill(role: Role): Promise<void> {
    const exited = once(role.now.process, 'exit');
    role.now.process.kill('SIGKILL');
    await exited;
    role.now = await start(role);
  }

  return {
    async killInTurn(everyMs, signal, onKill) {
      // A worker, then an api process: both kinds early, however short the day.
      const turns = [roles.at(-1), roles[0], roles.at(-2), roles[1]] as Role[];
      for (let turn = 0; !signal.aborted; turn++) {
        await setTimeout(everyMs, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        const victim = turns[turn % turns.length] as Role;
        onKill(victim.name);
        await kill(victim);
      }
    },
    async stopAll() {
      const codes = await Promise.all(roles.map(({ now }) => now.stop()));
      const bad = roles.filter((_, i) => codes[i] !== 0).map(({ name }) => name);
      if (bad.length > 0) throw new Error(`did not stop with exit code 0: ${bad.join(', ')}`);
    },
    logged: () => started.flatMap((running) => running.logged().split('\n')),
    leave,
  };
}
