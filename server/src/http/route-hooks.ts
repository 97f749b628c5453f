import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type AsyncHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

interface RouteHooks {
  onRequest: AsyncHook;
  preValidation: AsyncHook;
}

/**
 * Adds hooks for the routes of one API, wherever they are registered. Requests to the other APIs skip them without a
 * promise: every asynchronous hook that has nothing to do takes several microseconds.
 */
export function addRouteHooks(
  app: FastifyInstance,
  isOwn: (config: FastifyContextConfig) => boolean,
  { onRequest, preValidation }: RouteHooks,
): void {
  const forOwn =
    (hook: AsyncHook) =>
    (request: FastifyRequest, reply: FastifyReply, done: () => void): unknown =>
      isOwn(request.routeOptions.config) ? hook(request, reply) : done(); // Fastify awaits a promise instead of `done`
  app.addHook('onRequest', forOwn(onRequest));
  app.addHook('preValidation', forOwn(preValidation));
}
