import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A hook without anything to wait for returns nothing: a promise takes a microsecond. */
type RouteHook<E> = (request: FastifyRequest, reply: FastifyReply, endpoint: E) => Promise<void> | undefined;

interface RouteHooks<E> {
  onRequest: RouteHook<E>;
  preValidation: RouteHook<E>;
}

/**
 * Adds hooks to the routes of one API that are registered from now on, before the hooks that a route has of its own.
 * Requests to other routes do not run them.
 */
export function addRouteHooks<E>(
  app: FastifyInstance,
  endpointOf: (config: FastifyContextConfig) => E | undefined,
  { onRequest, preValidation }: RouteHooks<E>,
): void {
  app.addHook('onRoute', (route) => {
    const endpoint = endpointOf(route.config ?? {});
    if (endpoint === undefined) return;
    const forRoute =
      (hook: RouteHook<E>) =>
      (request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> | undefined => {
        const result = hook(request, reply, endpoint);
        if (!result) done(); // Fastify awaits a promise instead
        return result;
      };
    route.onRequest = [forRoute(onRequest), ...[route.onRequest ?? []].flat()];
    route.preValidation = [forRoute(preValidation), ...[route.preValidation ?? []].flat()];
  });
}
