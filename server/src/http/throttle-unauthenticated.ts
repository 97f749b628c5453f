import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { type FailedAttempts, refuseThrottled } from './failed-attempts.ts';

/**
 * Throttles operations that need no session, by client address. An attempt is counted when its headers arrive, and the
 * count is reverted unless the attempt is refused (4xx), so concurrent attempts cannot exceed the limit either. Every
 * refusal counts, which limits malformed bodies too.
 */
export function throttleUnauthenticated(
  app: FastifyInstance,
  failedAttempts: FailedAttempts,
  needsNoSession: (config: FastifyContextConfig) => boolean,
): void {
  const revertCount = new WeakMap<FastifyRequest, () => void>();
  app.addHook('onRoute', (route) => {
    if (!needsNoSession(route.config ?? {})) return;
    route.onRequest = [
      ...[route.onRequest ?? []].flat(),
      async (request) => {
        revertCount.set(request, failedAttempts.take(request.ip) ?? (await refuseThrottled()));
      },
    ];
    route.onSend = async (request, { statusCode }) => {
      if (statusCode < 400 || statusCode >= 500) revertCount.get(request)?.();
    };
  });
}
