import {
  type DashboardEndpoint,
  type DashboardEndpointName,
  type Language,
  ROLE_ALLOWS,
  type Role,
  SERVED_IN_VIEW,
} from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { refuseDashboard } from '../refusals/dashboard-refusal.ts';
import { MEMBER_COOKIE, VIEW_COOKIE } from './session-cookie.ts';
import { authenticateWebSessions, type WebAuthenticationOptions, type WebSessions } from './web-authentication.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    dashboardEndpoint?: NamedDashboardEndpoint;
  }
  interface FastifyRequest {
    member: SignedInMember | null;
  }
}

export type NamedDashboardEndpoint = DashboardEndpoint & { name: DashboardEndpointName };

/** The signed-in member, as the database holds them when the request arrives. */
export interface SignedInMember {
  memberId: string;
  /** The account that the session shows: the member's own one, or its test twin. */
  accountId: string;
  /** The account whose member this is. */
  ownAccountId: string;
  isTestMode: boolean;
  /** Of the test twin that the session shows; 0 in live mode. */
  clockAheadMs: number;
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
  /**
   * A staff member of the operator, who views the dashboard. Only operations of `SERVED_IN_VIEW` get here. `memberId`, name
   * and address are then the staff member's: no member has them, so a check inside a transaction refuses them too.
   */
  view: { id: string; reason: string } | null;
}

export type MemberSessions = WebSessions<SignedInMember>;

/** Checks every request of the dashboard. */
export function authenticateMembers(app: FastifyInstance, options: WebAuthenticationOptions<SignedInMember>): void {
  app.decorateRequest('member', null);
  authenticateWebSessions<SignedInMember, NamedDashboardEndpoint>(
    app,
    {
      // A view wins over a session of a member in the same browser: it can change nothing.
      cookies: [VIEW_COOKIE, MEMBER_COOKIE],
      endpointOf: ({ dashboardEndpoint }) => dashboardEndpoint,
      limitKey: ({ memberId }) => `member:${memberId}`,
      refuseByRole({ role, view }, { name, needs }) {
        if (view && !SERVED_IN_VIEW.has(name)) refuseDashboard('VIEW_IS_READ_ONLY');
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
