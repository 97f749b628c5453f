import { BASE_PATH } from '@navette/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownKey } from './caller.ts';

/** A request to the public API whose key is known, once it is answered. Never its query, body or client's address. */
export interface SeenRequest {
  accountId: string;
  key: KnownKey['key'];
  requestId: string;
  at: Date;
  durationMs: number;
  method: string;
  /** Pattern of the path, below the base path. */
  route: string;
  /** The `:id` of the path as sent, whatever it was. */
  id: string | undefined;
  status: number;
  /** What the answer said when it was a refusal. */
  refusal: Record<string, unknown> | null;
}

/** Tells of each request of an account, the refused ones too, as soon as its key says whose it is. */
export function watchRequests(app: FastifyInstance, tell: (seen: SeenRequest) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    const seen = request.routeOptions.config.endpoint ? describe(request, reply) : null;
    if (seen) tell(seen);
    done();
  });
}

function describe(request: FastifyRequest, reply: FastifyReply): SeenRequest | null {
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
    id: (request.params as { id?: string }).id,
    status: reply.statusCode,
    refusal: reply.refusal,
  };
}
