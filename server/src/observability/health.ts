import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { shareResult } from '../concurrency/share-result.ts';
import { readBuild } from '../config.ts';

const SHARED_FOR_MS = 1_000; // one query per second, however often a load balancer or anyone else asks

export interface Engines {
  /** Without PostgreSQL the process serves no request. */
  pool: pg.Pool;
  /** Without Redis the process serves requests with limits of its own. */
  state: { check(): Promise<unknown> };
  /** True once the process was asked to stop and accepts no more traffic. */
  isStopping: () => boolean;
}

export interface Health {
  status: 'ready' | 'unavailable' | 'stopping';
  database: 'ok' | 'unreachable';
  redis: 'ok' | 'degraded';
}

export type ReadHealth = () => Promise<Health>;

export function watchHealth({ pool, state, isStopping }: Engines): ReadHealth {
  const check = shareResult(SHARED_FOR_MS, () =>
    Promise.all([succeeds(() => pool.query('select 1')), succeeds(() => state.check())]),
  );
  return async () => {
    const [database, limits] = await check();
    return {
      status: isStopping() ? 'stopping' : database ? 'ready' : 'unavailable',
      database: database ? 'ok' : 'unreachable',
      redis: limits ? 'ok' : 'degraded',
    };
  };
}

/** /healthz: the process runs. /readyz: it accepts traffic. Only the operator's listener shows build and engines. */
export function serveHealth(app: FastifyInstance, readHealth: ReadHealth, show: 'status' | 'details'): void {
  const alive = show === 'details' ? { status: 'ok', ...readBuild() } : { status: 'ok' };
  app.get('/healthz', async () => alive);
  app.get('/readyz', async (_request, reply) => {
    const health = await readHealth();
    return reply.status(health.status === 'ready' ? 200 : 503).send(show === 'details' ? health : pick(health));
  });
}

const pick = ({ status }: Health) => ({ status });

async function succeeds(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}
