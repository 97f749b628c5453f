import {
  type ConsoleEndpoint,
  type Language,
  STAFF_ROLE_ALLOWS,
  type StaffNeed,
  type StaffRole,
} from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { refuseConsole } from '../refusals/console-refusal.ts';
import { STAFF_COOKIE } from './session-cookie.ts';
import { authenticateWebSessions, type WebAuthenticationOptions, type WebSessions } from './web-authentication.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    consoleEndpoint?: ConsoleEndpoint;
  }
  interface FastifyRequest {
    staff: SignedInStaff | null;
  }
}

/** The signed-in staff member, as the database holds them when the request arrives. */
export interface SignedInStaff {
  staffId: string;
  name: string;
  email: string;
  role: StaffRole;
  language: Language;
  hasSecondFactor: boolean;
  /** The identity provider gave this session, and checked the second factor. */
  bySingleSignOn: boolean;
  sessionId: string;
  csrfToken: string;
  expiresAt: Date;
}

export interface StaffSessions extends WebSessions<SignedInStaff> {
  /** The people of those sessions that are open, by token. One query; it does not count as activity. */
  findOpen: (tokens: string[]) => Promise<Map<string, Omit<SignedInStaff, 'csrfToken'>>>;
}

const TILE_FACTOR = 10; // a view of the map is some thirty tiles, and panning shows several views a second

/** Whether an open socket of this person may stay. */
export const staffMay = (staff: Pick<SignedInStaff, 'role' | 'hasSecondFactor' | 'bySingleSignOn'>, need: StaffNeed) =>
  !lacksSecondFactor(staff) && STAFF_ROLE_ALLOWS[staff.role].includes(need);

/** Staff who sign in with a password must have a second factor. */
export const lacksSecondFactor = ({
  hasSecondFactor,
  bySingleSignOn,
}: Pick<SignedInStaff, 'hasSecondFactor' | 'bySingleSignOn'>): boolean => !hasSecondFactor && !bySingleSignOn;

/** Checks every request of the console. */
export function authenticateStaff(app: FastifyInstance, options: WebAuthenticationOptions<SignedInStaff>): void {
  app.decorateRequest('staff', null);
  authenticateWebSessions<SignedInStaff, ConsoleEndpoint>(
    app,
    {
      cookies: [STAFF_COOKIE],
      endpointOf: ({ consoleEndpoint }) => consoleEndpoint,
      limitKey: ({ staffId }, { budget }) => `staff:${staffId}${budget ? `:${budget}` : ''}`,
      limitFactor: ({ budget }) => (budget === 'tiles' ? TILE_FACTOR : 1),
      refuseByRole(staff, { needs, beforeSecondFactor }) {
        if (!beforeSecondFactor && lacksSecondFactor(staff)) refuseConsole('SECOND_FACTOR_MISSING');
        if (needs && needs !== 'self' && !STAFF_ROLE_ALLOWS[staff.role].includes(needs))
          refuseConsole('ROLE_NOT_ALLOWED', { needs });
      },
      remember(request, staff) {
        request.staff = staff;
      },
    },
    options,
  );
}
