import { type Endpoint, scopeOf } from '@navette/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readBearer } from './bearer.ts';
import type { Caller, KeyFinder, KnownKey } from './caller.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { Refusal, refuse, refuseAsTooMany } from './refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    caller: Caller | null;
    knownKey: KnownKey | null;
  }
}

export interface FrontDoorOptions {
  keys: KeyFinder;
  rateLimiter: RateLimiter;
  failedAttempts: FailedAttempts;
  now: () => Date;
}

/**
 * Every request to a contract endpoint passes here: key, client id, expiry, account, scope, then the rate limit.
 * A bad key is answered before a body is read. The client id may stand in the body, so a request without one in
 * its header or query is judged to its end only once the body is parsed.
 */
export function guardFrontDoor(
  app: FastifyInstance,
  { keys, rateLimiter, failedAttempts, now }: FrontDoorOptions,
): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('knownKey', null);

  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.endpoint) return;
    try {
      const key = readBearer(request) ?? refuse('MISSING_API_KEY');
      const clientId = readClientId(request);
      if (!clientId && !carriesBody(request)) refuse('MISSING_CLIENT_ID');
      if (failedAttempts.exhausted(request.ip) && !keys.wasGoodLately(key)) refuseAsTooMany('minute');
      request.knownKey = (await keys.find(key)) ?? refuse('INVALID_API_KEY');
      if (clientId) await admit(request, reply, clientId);
    } catch (error) {
      throw counted(error, request);
    }
  });

  app.addHook('preValidation', async (request, reply) => {
    if (!request.routeOptions.config.endpoint) return;
    try {
      if (!request.caller) await admit(request, reply, clientIdIn(request.body) ?? refuse('MISSING_CLIENT_ID'));
    } catch (error) {
      throw counted(error, request);
    }
    // No body at all is an empty one, so that the answer names each missing field.
    if (request.body === undefined) request.body = {};
  });

  async function admit(request: FastifyRequest, reply: FastifyReply, clientId: string): Promise<void> {
    const { key, account } = request.knownKey ?? refuse('INVALID_API_KEY');
    if (key.expiresAt && key.expiresAt <= now()) refuse('EXPIRED_API_KEY');
    if (!account) return refuse('PROFESSIONAL_NOT_FOUND');
    if (account.clientId !== clientId) refuse('INVALID_CLIENT_ID');
    if (!key.scopes.includes(scopeOf(request.method))) refuse('INSUFFICIENT_PERMISSIONS');
    const verdict = await rateLimiter.take(account.accountId, account.rateLimits);
    reply.headers({
      'x-ratelimit-limit': account.rateLimits.minute,
      'x-ratelimit-remaining': verdict.remaining,
      'x-ratelimit-reset': verdict.resetsAt,
    });
    if (verdict.exhausted) refuseAsTooMany(verdict.exhausted);
    request.caller = { ...account, key };
  }

  function counted(error: unknown, request: FastifyRequest): unknown {
    if (error instanceof Refusal && error.status === 401) failedAttempts.count(request.ip);
    return error;
  }
}

function readClientId(request: FastifyRequest): string | undefined {
  const header = request.headers['x-client-id'];
  const fromHeader = typeof header === 'string' ? header.trim() : '';
  return fromHeader || clientIdIn(request.query);
}

function clientIdIn(source: unknown): string | undefined {
  const { clientId } = (source ?? {}) as { clientId?: unknown };
  return (typeof clientId === 'string' && clientId.trim()) || undefined;
}

function carriesBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
