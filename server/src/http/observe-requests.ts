import { BASE_PATH } from '@navette/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownKey } from './caller.ts';

/** A request to the public API with a known key, after its response. Never its query, body or client's address. */
export interface ObservedRequest {
  accountId: string;
  key: KnownKey['key'];
  requestId: string;
  at: Date;
  durationMs: number;
  method: string;
  /** Pattern of the path, relative to the base path. */
  route: string;
  /** The `:id` of the path as sent, not validated; or the shipment that the request created. */
  id: string | undefined;
  status: number;
  /** The envelope of the response when it was a refusal. */
  refusal: Record<string, unknown> | null;
}

/** Calls `observe` for each request whose key belongs to an account, refused requests included. */
export function observeRequests(app: FastifyInstance, observe: (request: ObservedRequest) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    const observed = request.routeOptions.config.endpoint ? describe(request, reply) : null;
    if (observed) observe(observed);
    done();
  });
}

function describe(request: FastifyRequest, reply: FastifyReply): ObservedRequest | null {
  const { account, key } = request.knownKey ?? {};
  if (!account || !key) return null;
  return {
    accountId: account.accountId,
    key,
    requestId: request.id,
    at: new Date(Date.now() - reply.elapsedTime),
    durationMs: reply.elapsedTime,
    method: request.method,
    route: request.routeOptions.url?.slice(BASE_PATH.length) ?? '',
    id: (request.params as { id?: string }).id ?? request.createdShipments?.[0],
    status: reply.statusCode,
    refusal: reply.refusal,
  };
}
