import Fastify, { type FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import { shareResult } from '../concurrency/share-result.ts';
import { type ReadHealth, serveHealth } from './health.ts';

const SHARED_FOR_MS = 1_000; // one computation per second, however many collectors scrape

export interface OperatorListenerOptions {
  host: string;
  port: number;
  registry: Registry;
  readHealth: ReadHealth;
  log: FastifyBaseLogger;
}

export interface OperatorListener {
  address: string;
  close(): Promise<void>;
}

/**
 * Serves detailed health and metrics of one process, for all its roles. It has no authentication: keep its port inside
 * the operator's network.
 */
export async function listenForOperator(options: OperatorListenerOptions): Promise<OperatorListener> {
  const { host, port, registry, readHealth, log } = options;
  const app = Fastify({ logger: false, forceCloseConnections: true });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
  serveHealth(app, readHealth, 'details');
  const readMetrics = shareResult(SHARED_FOR_MS, () => registry.metrics());
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await readMetrics()));
  const address = await app.listen({ host, port });
  log.info({ address }, 'serving health and metrics');
  return { address, close: () => app.close() };
}
