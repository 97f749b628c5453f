import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

declare module 'fastify' {
  interface FastifyRequest {
    /** How long a long poll waited for news: no part of its response time. */
    waitedMs: number;
  }
}

export function measureRequests(
  app: FastifyInstance,
  registry: Registry,
  rateLimiter: { readonly degraded: boolean },
): void {
  const duration = new Histogram({
    name: 'navette_http_request_seconds',
    help: 'Response time, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'navette_unexpected_failures_total',
    help: 'Requests that failed for an unexpected reason, by route and cause; some of them are answered with a 400',
    labelNames: ['route', 'cause'],
    registers: [registry],
  });
  new Gauge({
    name: 'navette_rate_limiter_degraded',
    help: '1 while Redis is unreachable and request limits are counted per process',
    registers: [registry],
    collect() {
      this.set(rateLimiter.degraded ? 1 : 0);
    },
  });
  app.decorateRequest('waitedMs', 0);
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const labels = { method: request.method, route, status: reply.statusCode };
    duration.observe(labels, (reply.elapsedTime - request.waitedMs) / 1000);
    if (reply.failure) failures.inc({ route, cause: reply.failure });
    done();
  });
}
