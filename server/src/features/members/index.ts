import type { FastifyInstance } from 'fastify';
import type { MembersOptions } from './members-options.ts';
import { serveProfile } from './profile-routes.ts';
import { serveSessions } from './session-routes.ts';
import { serveTeam } from './team-routes.ts';

export { type Actor, OPERATOR, recordAct } from './acts.ts';
export { createMember, type NewMember } from './create-member.ts';
export { type MailedInvitation, mailInvitation } from './mail-invitation.ts';
export { createMemberSessions } from './member-sessions.ts';
export { inviteAsOperator, makeResetLink, resetSecondFactor } from './operate-members.ts';
export { createSecondFactorSealer } from './take-code.ts';
export { listMembers } from './team.ts';

export function serveMembers(app: FastifyInstance, options: MembersOptions): void {
  serveSessions(app, options);
  serveProfile(app, options);
  serveTeam(app, options);
}
