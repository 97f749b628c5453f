import { randomUUIDv7 } from 'node:crypto';
import type { Socket } from 'node:net';
import { DRIVER_SOCKET_PATH } from '@navette/contract';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../config.ts';
import { answerBrokenRequest } from './broken-requests.ts';
import { answerFailures, answerUnknownRoute } from './failures.ts';
import { readJsonBodies } from './json-body.ts';
import { logRequests } from './request-log.ts';
import { compileValidator } from './validation.ts';

const REQUEST_TIMEOUT_MS = 300_000; // the largest batch over a slow line; a byte now and then must not hold a connection
const REQUEST_ID = /^[\w-]{8,64}$/;

export function createHttpServer(config: Config, log: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    // request-log.ts says what is needed, without addresses that carry tokens or names.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies,
    // One logger for all: a child for each request costs more than the one line it writes. Lines name their request.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUIDv7();
    },
    forceCloseConnections: 'idle', // on shutdown requests under way finish
    // Only the drivers' socket speaks another protocol. Elsewhere the offer to change it, which Java's client makes with
    // each plain HTTP request, is passed over: Node would hand such a request to that socket, which drops it unanswered.
    http: { shouldUpgradeCallback: ({ url }) => url?.startsWith(DRIVER_SOCKET_PATH) ?? false },
    requestTimeout: REQUEST_TIMEOUT_MS,
    clientErrorHandler: answerBrokenRequest,
    routerOptions: { maxParamLength: 200 },
    // A path that cannot be decoded, or whose id is endless, names nothing. No hook runs on this way.
    frameworkErrors: (_error, request, reply) => {
      void answerUnknownRoute(request, reply.header('x-request-id', request.id));
    },
  });
  app.setValidatorCompiler(compileValidator);
  readJsonBodies(app);
  answerFailures(app);
  endConnectionsWhenClosing(app);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  logRequests(app, log);
  return app;
}

/**
 * A connection whose last request was under way when the server closed would stay open for another one, for a minute;
 * so would one that was opened in advance and has not carried any.
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
  // For an answer whose headers had left before.
  app.addHook('onResponse', (request, _reply, done) => {
    if (closing) request.raw.socket.destroySoon();
    done();
  });
}
