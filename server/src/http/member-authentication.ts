import { type DashboardEndpoint, type Language, ROLE_ALLOWS, type Role } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { refuseDashboard } from '../refusals/dashboard-refusal.ts';
import { MEMBER_COOKIE } from './session-cookie.ts';
import { authenticateWebSessions, type WebAuthenticationOptions, type WebSessions } from './web-authentication.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    dashboardEndpoint?: DashboardEndpoint;
  }
  interface FastifyRequest {
    member: SignedInMember | null;
  }
}

/** The signed-in member, as the database holds them when the request arrives. */
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

export type MemberSessions = WebSessions<SignedInMember>;

/** Checks every request of the dashboard. */
export function authenticateMembers(app: FastifyInstance, options: WebAuthenticationOptions<SignedInMember>): void {
  app.decorateRequest('member', null);
  authenticateWebSessions<SignedInMember, DashboardEndpoint>(
    app,
    {
      cookie: MEMBER_COOKIE,
      endpointOf: ({ dashboardEndpoint }) => dashboardEndpoint,
      limitKey: ({ memberId }) => `member:${memberId}`,
      refuseByRole({ role }, { needs }) {
        if (needs && needs !== 'self' && !ROLE_ALLOWS[role].includes(needs))
          refuseDashboard('ROLE_NOT_ALLOWED', { needs });
      },
      remember(request, member) {
        request.member = member;
      },
    },
    options,
  );
}
