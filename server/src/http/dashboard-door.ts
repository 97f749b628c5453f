import { timingSafeEqual } from 'node:crypto';
import {
  CSRF_HEADER,
  type DashboardEndpoint,
  type Language,
  type Need,
  ROLE_ALLOWS,
  type Role,
} from '@navette/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuseDashboard } from './dashboard-refusal.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { Refusal, refuseAsTooMany } from './refusal.ts';
import { readSessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    dashboardEndpoint?: DashboardEndpoint;
  }
  interface FastifyRequest {
    member: SignedInMember | null;
  }
}

/** Who works with the dashboard, as the database says at this moment. */
export interface SignedInMember {
  memberId: string;
  accountId: string;
  accountName: string;
  clientId: string;
  name: string;
  email: string;
  role: Role;
  language: Language;
  hasSecondFactor: boolean;
  sessionId: string;
  csrfToken: string;
  expiresAt: Date;
}

export interface MemberSessions {
  /** The member of an open session, read anew each time: a role changed or a session ended counts at once. */
  find: (token: string) => Promise<SignedInMember | null>;
}

export interface DashboardDoorOptions {
  sessions: MemberSessions;
  rateLimiter: RateLimiter;
  failedAttempts: FailedAttempts;
  requestsPerMinute: number;
  publicUrl: string;
}

const SAFE_METHODS = ['GET', 'HEAD'];

/** Every request of the dashboard passes here: origin, session, CSRF token, role, limit. */
export function guardDashboardDoor(app: FastifyInstance, options: DashboardDoorOptions): void {
  const { sessions, rateLimiter, failedAttempts, requestsPerMinute } = options;
  const limits = { minute: requestsPerMinute, hour: 60 * requestsPerMinute, day: 1_440 * requestsPerMinute };
  const ownOrigin = new URL(options.publicUrl).origin;
  app.decorateRequest('member', null);

  app.addHook('onRequest', async (request, reply) => {
    const { dashboardEndpoint: endpoint } = request.routeOptions.config;
    if (!endpoint) return;
    reply.header('cache-control', 'no-store');
    const changes = !SAFE_METHODS.includes(request.method);
    if (changes) refuseForeignOrigin(request, ownOrigin);
    const { needs } = endpoint;
    if (needs === null) {
      if (failedAttempts.exhausted(request.ip)) refuseAsTooMany('minute');
      return;
    }
    const member = await findMember(request);
    if (changes) refuseBadCsrfToken(request, member);
    if (needs !== 'self') refuseRole(member, needs);
    const { exhausted } = await rateLimiter.take(`member:${member.memberId}`, limits);
    if (exhausted) refuseAsTooMany(exhausted);
    request.member = member;
  });

  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.dashboardEndpoint && request.body === undefined) request.body = {};
  });

  // A wrong password is found out behind the door, and counts as a wrong cookie does.
  app.addHook('onError', async (request, _reply, error) => {
    const { dashboardEndpoint } = request.routeOptions.config;
    const counts = dashboardEndpoint?.needs === null && error instanceof Refusal;
    if (counts && [401, 410].includes(error.status)) failedAttempts.count(request.ip);
  });

  async function findMember(request: FastifyRequest): Promise<SignedInMember> {
    const token = readSessionCookie(request) ?? refuseDashboard('NOT_SIGNED_IN');
    const member = await sessions.find(token);
    if (member) return member;
    // Only who failed is held up: colleagues at the same address are in already.
    if (failedAttempts.exhausted(request.ip)) refuseAsTooMany('minute');
    failedAttempts.count(request.ip);
    return refuseDashboard('NOT_SIGNED_IN');
  }
}

/**
 * Browsers say where a request comes from, and pages cannot make them lie. Programs that are no browser send neither
 * header; they carry nobody's cookies by accident.
 */
function refuseForeignOrigin({ headers, host }: FastifyRequest, ownOrigin: string): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOwn = () => origin === ownOrigin || (URL.canParse(origin ?? '') && new URL(origin ?? '').host === host);
  if ((site !== undefined && site !== 'same-origin' && site !== 'none') || (origin !== undefined && !isOwn())) {
    refuseDashboard('FOREIGN_ORIGIN');
  }
}

function refuseBadCsrfToken({ headers }: FastifyRequest, { csrfToken }: SignedInMember): void {
  const given = Buffer.from(String(headers[CSRF_HEADER] ?? ''));
  const expected = Buffer.from(csrfToken);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) refuseDashboard('BAD_CSRF_TOKEN');
}

function refuseRole({ role }: SignedInMember, needs: Need): void {
  if (!ROLE_ALLOWS[role].includes(needs)) refuseDashboard('ROLE_NOT_ALLOWED', { needs });
}
