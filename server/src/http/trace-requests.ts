import type { FastifyInstance } from 'fastify';
import { runInTrace, type Trace } from '../observability/trace-context.ts';
import { preciseNow, type Tracer } from '../observability/tracer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null in a server without a tracer, and for a URL that the router refuses. */
    trace: Trace | null;
  }
}

/** Reads `traceparent`. Handlers run in the trace, so that the jobs that they enqueue carry it. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest('trace', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.trace = tracer.begin(request.headers.traceparent);
    done();
  });
  // After the body has arrived: its events run outside of the context that an earlier hook would set.
  app.addHook('preHandler', (request, _reply, done) => runInTrace(request.trace as Trace, done));
  app.addHook('onResponse', (request, reply, done) => {
    const { trace } = request;
    if (trace?.sampled) {
      const route = request.routeOptions.url ?? 'unknown';
      tracer.record(trace, {
        name: `${request.method} ${route}`,
        kind: 'server',
        startedAt: preciseNow() - reply.elapsedTime,
        failed: reply.failure !== null || reply.statusCode >= 500,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': reply.statusCode,
          'navette.request_id': request.id,
          'navette.account_id': request.caller?.accountId ?? request.member?.accountId,
          'error.type': reply.failure ?? undefined,
        },
      });
    }
    done();
  });
}
