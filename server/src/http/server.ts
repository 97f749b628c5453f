import { randomUUIDv7 } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../config.ts';
import { answerFailures } from './failures.ts';
import { readJsonBodies } from './json-body.ts';
import { compileValidator } from './validation.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;

export function createHttpServer(config: Config, log: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    // The line below says what is needed, without addresses that carry tokens or names.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUIDv7();
    },
    forceCloseConnections: 'idle', // on shutdown requests under way finish
    routerOptions: { maxParamLength: 200 },
  });
  app.setValidatorCompiler(compileValidator);
  readJsonBodies(app);
  answerFailures(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const fields = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.caller ? { account: request.caller.accountId } : {}),
    };
    request.log.info(fields, 'request');
  });
  return app;
}
