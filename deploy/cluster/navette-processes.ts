import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { type NavetteProcess, startNavette } from '../../server/test/navette-process.ts';

const RESTART_AFTER_MS = 1_000;

interface Role {
  name: string;
  args: string[];
  environment: Record<string, string>;
}

/** Navette's processes, each restarted when it ends, as a supervisor does. */
export async function superviseNavette(roles: Role[]) {
  let isStopping = false;
  const supervised = await Promise.all(
    roles.map(async (role) => {
      const one = { ...role, now: await startNavette(role.args, role.environment), starts: 1 };
      watch(one);
      return one;
    }),
  );

  function watch(one: Role & { now: NavetteProcess | null; starts: number }): void {
    one.now?.process.once('exit', () => {
      one.now = null;
      void restart(one);
    });
  }

  /** Tries until it starts: without PostgreSQL it does not. */
  async function restart(one: Role & { now: NavetteProcess | null; starts: number }): Promise<void> {
    while (!isStopping && !one.now) {
      await setTimeout(RESTART_AFTER_MS);
      if (isStopping) return;
      one.now = await startNavette(one.args, one.environment).catch(() => null);
    }
    one.starts++;
    if (isStopping) one.now?.process.kill('SIGKILL');
    watch(one);
  }

  return {
    /** How often all processes were started so far. */
    starts: () => supervised.reduce((sum, { starts }) => sum + starts, 0),

    /** Kills one process after the other until the signal; returns how many. */
    async killInTurn(everyMs: number, signal: AbortSignal): Promise<number> {
      let kills = 0;
      for (let turn = 0; !signal.aborted; turn++) {
        await setTimeout(everyMs, undefined, { signal }).catch(() => {});
        const victim = supervised[turn % supervised.length]?.now;
        if (signal.aborted || !victim) continue;
        victim.process.kill('SIGKILL');
        kills++;
      }
      return kills;
    },

    /** Every process runs and reaches both engines. */
    async areHealthy(): Promise<boolean> {
      const healths = await Promise.all(supervised.map(async ({ now }) => now?.readHealth().catch(() => null)));
      return healths.every((health) => health?.database === 'ok' && health.redis === 'ok');
    },

    async stop(): Promise<void> {
      isStopping = true;
      const running = supervised.flatMap(({ now }) => (now ? [now.process] : []));
      const exits = running.map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(exits);
    },
  };
}
