import { type Endpoint, scopeOf } from '@navette/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { aheadOf } from '../calendar/twin-clock.ts';
import { accountMoving, Refusal, refuse, refuseAsTooMany } from '../refusals/refusal.ts';
import { readBearer } from './bearer.ts';
import type { Caller, KeyFinder, KnownKey } from './caller.ts';
import { type FailedAttempts, refuseThrottled } from './failed-attempts.ts';
import { hasBody } from './has-body.ts';
import { isWithin } from './key-restrictions.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { addRouteHooks } from './route-hooks.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    caller: Caller | null;
    knownKey: KnownKey | null;
  }
}

export interface MerchantAuthenticationOptions {
  keys: KeyFinder;
  rateLimiter: RateLimiter;
  failedAttempts: FailedAttempts;
  now: () => Date;
}

/** With the half second for which a key is cached, a revoked key is refused within a second. */
const AUTHORISED_FOR_MS = 100;

/**
 * Checks every request to a contract endpoint: key, client id, expiry, account, scope, restrictions of the key, then the rate limit. An invalid
 * key is refused before the body is read. Permission is checked again once a body has arrived that took its time, because
 * it may have been revoked meanwhile. A request whose client id is in the body is counted against the limit at that point.
 */
export function authenticateMerchants(
  app: FastifyInstance,
  { keys, rateLimiter, failedAttempts, now }: MerchantAuthenticationOptions,
): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('knownKey', null);

  addRouteHooks(app, ({ endpoint }) => endpoint !== undefined, {
    onRequest: async (request, reply) => {
      try {
        const key = readBearer(request) ?? refuse('MISSING_API_KEY');
        const clientId = readClientId(request);
        if (!clientId && !hasBody(request)) refuse('MISSING_CLIENT_ID');
        if (failedAttempts.exhausted(request.ip) && !keys.wasValidRecently(key)) await refuseThrottled();
        request.knownKey = await findKey(request);
        if (clientId) await admit(request, reply, request.knownKey, clientId);
      } catch (error) {
        throw countRefusal(error, request);
      }
    },
    preValidation: async (request, reply) => {
      try {
        const isStillAuthorised = request.caller !== null && reply.elapsedTime < AUTHORISED_FOR_MS;
        if (hasBody(request) && !isStillAuthorised) {
          const clientId = readClientId(request) ?? clientIdIn(request.body) ?? refuse('MISSING_CLIENT_ID');
          await admit(request, reply, await findKey(request), clientId);
        }
      } catch (error) {
        throw countRefusal(error, request);
      }
      // A missing body counts as an empty one, so that the response lists each missing field.
      if (request.body === undefined) request.body = {};
    },
  });

  const findKey = async (request: FastifyRequest): Promise<KnownKey> =>
    (await keys.find(readBearer(request) ?? refuse('MISSING_API_KEY'))) ?? refuse('INVALID_API_KEY');

  /** Counts the request against the account's limit the first time. */
  async function admit(request: FastifyRequest, reply: FastifyReply, known: KnownKey, clientId: string): Promise<void> {
    const caller = authorise(known, clientId, request);
    if (!request.caller) await takeFromLimit(caller, request, reply);
    request.caller = caller;
  }

  function authorise({ key, account }: KnownKey, clientId: string, request: FastifyRequest): Caller {
    if (key.expiresAt && key.expiresAt <= now()) refuse('EXPIRED_API_KEY');
    if (!account) return refuse('PROFESSIONAL_NOT_FOUND');
    if (account.isMoved) throw accountMoving();
    if (account.clientId !== clientId) refuse('INVALID_CLIENT_ID');
    if (!key.scopes.includes(scopeOf(request.method))) refuse('INSUFFICIENT_PERMISSIONS');
    if (key.narrowing && !isWithin(key.narrowing, request)) refuse('INSUFFICIENT_PERMISSIONS');
    return { ...account, key };
  }

  async function takeFromLimit(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { accountId, rateLimits, clock } = caller;
    const { hasOwnLimit, path } = request.routeOptions.config.endpoint ?? {};
    const verdict = await rateLimiter.take(
      hasOwnLimit ? `${accountId}${path}` : accountId,
      rateLimits,
      aheadOf(clock, now()),
    );
    reply.headers({
      'x-ratelimit-limit': rateLimits.minute,
      'x-ratelimit-remaining': verdict.remaining,
      'x-ratelimit-reset': verdict.resetsAt,
    });
    if (verdict.exhausted) refuseAsTooMany(verdict.exhausted);
  }

  /**
   * A caller that is refused before an account's limit applies is throttled by address, with a valid key too: refusals
   * beyond the address's budget become a 429.
   */
  function countRefusal(error: unknown, request: FastifyRequest): unknown {
    const counts = error instanceof Refusal && [401, 403].includes(error.status);
    if (counts && !failedAttempts.take(request.ip)) refuseAsTooMany('minute');
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
