import type { FastifyInstance } from 'fastify';

export interface Readiness {
  /** Without it no request can be served. */
  database: () => Promise<void>;
  /** Without it requests are served with per-process limits. */
  redis: () => Promise<void>;
}

/** /healthz: the process lives. /readyz: send it traffic. A process that is stopping asks for none. */
export function serveHealth(app: FastifyInstance, checks: Readiness, isStopping: () => boolean): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const [database, redis] = await Promise.all([passes(checks.database), passes(checks.redis)]);
    const stopping = isStopping();
    const ready = database && !stopping;
    return reply.status(ready ? 200 : 503).send({
      status: stopping ? 'stopping' : ready ? 'ready' : 'unavailable',
      database: database ? 'ok' : 'unreachable',
      redis: redis ? 'ok' : 'degraded',
    });
  });
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}
