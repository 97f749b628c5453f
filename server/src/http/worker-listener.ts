import Fastify, { type FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';

export interface ListenerOptions {
  host: string;
  port: number;
  registry: Registry;
  /** Fails while the worker cannot work. */
  check: () => Promise<unknown>;
  log: FastifyBaseLogger;
}

/** Health and metrics of a process that answers no merchants. Keep it inside the operator's network. */
export async function listenForOperator({ host, port, registry, check, log }: ListenerOptions) {
  const app = Fastify({ logger: false });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = await check().then(
      () => true,
      () => false,
    );
    const state = ready ? { status: 'ready', database: 'ok' } : { status: 'unavailable', database: 'unreachable' };
    return reply.status(ready ? 200 : 503).send(state);
  });
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  const address = await app.listen({ host, port });
  log.info({ address }, 'showing health and metrics');
  return { address, close: () => app.close() };
}
