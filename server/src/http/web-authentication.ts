import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CSRF_HEADER } from '@navette/contract';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseAsTooMany } from '../refusals/refusal.ts';
import { refuseSignIn } from '../refusals/sign-in-refusal.ts';
import { type FailedAttempts, refuseThrottled } from './failed-attempts.ts';
import { hasBody } from './has-body.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { addRouteHooks } from './route-hooks.ts';
import type { HostCookie } from './session-cookie.ts';
import { throttleUnauthenticated } from './throttle-unauthenticated.ts';

export interface WebSessions<P> {
  /** The person of an open session. Not cached: a changed role or a closed session takes effect at once. */
  find: (token: string) => Promise<P | null>;
}

export interface WebAuthenticationOptions<P> {
  sessions: WebSessions<P>;
  rateLimiter: RateLimiter;
  failedAttempts: FailedAttempts;
  requestsPerMinute: number;
  publicUrl: string;
}

/** Differences between the people of two web apps. */
interface WebPeople<P, E extends { needs: string | null }> {
  /** The cookies that may contain a token. The first that is present counts; one whose session has ended is cleared. */
  cookies: readonly [HostCookie, ...HostCookie[]];
  endpointOf: (config: FastifyContextConfig) => E | undefined;
  /** Key of the person's request limit. */
  limitKey: (person: P, endpoint: E) => string;
  /** How many times the usual limit an endpoint allows. */
  limitFactor?: (endpoint: E) => number;
  refuseByRole: (person: P, endpoint: E) => void;
  remember: (request: FastifyRequest, person: P) => void;
}

const changes = ({ method }: FastifyRequest): boolean => !['GET', 'HEAD'].includes(method);

/**
 * Checks every request of a web app: origin, session, CSRF token, role, limit. Session, CSRF token and role are checked
 * again once the body has arrived: a person who was removed meanwhile must not change anything.
 */
export function authenticateWebSessions<P extends { csrfToken: string }, E extends { needs: string | null }>(
  app: FastifyInstance,
  { cookies, endpointOf, limitKey, limitFactor = () => 1, refuseByRole, remember }: WebPeople<P, E>,
  { sessions, rateLimiter, failedAttempts, requestsPerMinute, publicUrl }: WebAuthenticationOptions<P>,
): void {
  const limitsOf = (endpoint: E) => {
    const minute = requestsPerMinute * limitFactor(endpoint);
    return { minute, hour: 60 * minute, day: 1_440 * minute };
  };
  const ownOrigin = new URL(publicUrl).origin;
  throttleUnauthenticated(app, failedAttempts, (config) => endpointOf(config)?.needs === null);

  addRouteHooks(app, (config) => endpointOf(config) !== undefined, {
    onRequest: async (request, reply) => {
      const endpoint = endpointOf(request.routeOptions.config);
      if (!endpoint) return;
      reply.header('cache-control', 'no-store');
      if (changes(request)) refuseForeignOrigin(request, ownOrigin);
      if (endpoint.needs === null) return;
      const person = await authorise(request, reply, endpoint);
      const { exhausted } = await rateLimiter.take(limitKey(person, endpoint), limitsOf(endpoint));
      if (exhausted) refuseAsTooMany(exhausted);
    },
    preValidation: async (request, reply) => {
      const endpoint = endpointOf(request.routeOptions.config);
      if (!endpoint) return;
      if (endpoint.needs !== null && hasBody(request)) await authorise(request, reply, endpoint);
      if (request.body === undefined) request.body = {};
    },
  });

  async function authorise(request: FastifyRequest, reply: FastifyReply, endpoint: E): Promise<P> {
    const person = await findPerson(request, reply);
    if (changes(request)) refuseBadCsrfToken(request, person.csrfToken);
    refuseByRole(person, endpoint);
    remember(request, person);
    return person;
  }

  async function findPerson(request: FastifyRequest, reply: FastifyReply): Promise<P> {
    const cookie = cookies.find((one) => one.read(request) !== null);
    const token = cookie?.read(request) ?? refuseSignIn('NOT_SIGNED_IN');
    const person = await sessions.find(token);
    if (person) return person;
    if (cookie) reply.headers(cookie.clear());
    // Throttles failures only: colleagues at the same address already have sessions.
    if (!failedAttempts.take(request.ip)) await refuseThrottled();
    return refuseSignIn('NOT_SIGNED_IN');
  }
}

function refuseForeignOrigin({ headers, host }: FastifyRequest, ownOrigin: string): void {
  if (isForeignOrigin(headers, host, ownOrigin)) refuseSignIn('FOREIGN_ORIGIN');
}

/**
 * Browsers send the origin of a request, and pages cannot forge it. Other clients send neither header, and they do not
 * attach a person's cookies without the person's knowledge.
 */
export function isForeignOrigin(headers: IncomingHttpHeaders, host: string, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOwn = () => origin === ownOrigin || (URL.canParse(origin ?? '') && new URL(origin ?? '').host === host);
  return (site !== undefined && site !== 'same-origin' && site !== 'none') || (origin !== undefined && !isOwn());
}

function refuseBadCsrfToken({ headers }: FastifyRequest, csrfToken: string): void {
  const given = Buffer.from(String(headers[CSRF_HEADER] ?? ''));
  const expected = Buffer.from(csrfToken);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) refuseSignIn('BAD_CSRF_TOKEN');
}
