import { randomUUIDv7 } from 'node:crypto';
import type { Socket } from 'node:net';
import { DRIVER_SOCKET_PATH } from '@navette/contract';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../config.ts';
import { compileSerializer } from '../validation/compile-serializer.ts';
import { compileValidator } from '../validation/compile-validator.ts';
import { writeAccessLog } from './access-log.ts';
import { handleErrors, sendUnknownRoute } from './error-handler.ts';
import { readJsonBodies } from './json-body.ts';
import { createMalformedRequestHandler } from './malformed-requests.ts';
import { commonHeaders, protectPages } from './response-headers.ts';
import { limitSlowBodies, SLOW_REQUEST_LIMITS, type SlowRequestLimits } from './slow-request-limits.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;

export function createHttpServer(
  config: Config,
  log: FastifyBaseLogger,
  limits: SlowRequestLimits = SLOW_REQUEST_LIMITS,
): FastifyInstance {
  const common = commonHeaders(config.publicUrl);
  const handleMalformedRequest = createMalformedRequestHandler(common);
  const app = Fastify({
    loggerInstance: log,
    // access-log.ts writes one line per request, without URLs, which may hold tokens or names.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies,
    // One logger for all requests: a child logger per request costs more than the line it writes. Lines hold the id.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUIDv7();
    },
    forceCloseConnections: 'idle', // open requests finish before shutdown
    // Only the driver socket upgrades connections. Java's HTTP client offers an h2c upgrade with each plain request; if
    // accepted, Node would pass the request to the driver socket, which drops it without a response.
    http: {
      shouldUpgradeCallback: ({ url }) => url?.startsWith(DRIVER_SOCKET_PATH) ?? false,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    requestTimeout: limits.requestMs,
    clientErrorHandler: handleMalformedRequest,
    routerOptions: { maxParamLength: 200 },
    // A path that cannot be decoded, or whose id is too long, is an unknown route. Fastify runs no hook for it.
    frameworkErrors: (_error, request, reply) => {
      void sendUnknownRoute(request, reply.headers(common).header('x-request-id', request.id));
    },
  });
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  limitSlowBodies(app, limits, handleMalformedRequest);
  readJsonBodies(app);
  handleErrors(app);
  endConnectionsWhenClosing(app);

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(common).header('x-request-id', request.id);
    done();
  });
  protectPages(app);
  writeAccessLog(app, log);
  return app;
}

/**
 * Without this, two kinds of connection would stay open for a minute after the server closes: those whose last request
 * was still running, kept alive for the next one, and those opened in advance that have carried no request yet.
 */
function endConnectionsWhenClosing(app: FastifyInstance): void {
  let closing = false;
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('preClose', (done) => {
    closing = true;
    for (const socket of unused) socket.destroy();
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
  // For a response whose headers were already sent.
  app.addHook('onResponse', (request, _reply, done) => {
    if (closing) request.raw.socket.destroySoon();
    done();
  });
}
