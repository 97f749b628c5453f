import type { FastifyInstance } from 'fastify';
import { createFailureLog } from '../../identity/failure-log.ts';
import { MEMBER_IDENTITY } from './member-identity.ts';
import { type PasskeyOptions, relyingPartyAt } from './passkey-options.ts';
import { servePasskeys } from './passkey-routes.ts';
import { serveProfile } from './profile-routes.ts';
import { serveSessions } from './session-routes.ts';
import { serveTeam } from './team-routes.ts';

export { createMember, type NewMember } from './create-member.ts';
export { type MailedInvitation, mailInvitation } from './mail-invitation.ts';
export { presentSession } from './member-json.ts';
export { createMemberSessions } from './member-sessions.ts';
export { notifyMembers } from './notify-members.ts';
export {
  createResetLink,
  inviteAsOperator,
  inviteByMail,
  removeAsOperator,
  resetSecondFactor,
} from './operate-members.ts';
export { printableText } from './printable-text.ts';
export { type Authorize, authorizeMember, authorizeOperator } from './require-actor.ts';
export { actorOf, recordAct } from './security-log.ts';
export { listMembers } from './team.ts';

type Services = Omit<PasskeyOptions, 'failures' | 'identity' | 'relyingParty'> & { publicUrl: string };

export function serveMembers(app: FastifyInstance, services: Services): void {
  const identity = MEMBER_IDENTITY;
  const failures = createFailureLog({ ...services, identity }, app.log);
  app.addHook('onClose', () => failures.stop());
  const options = { ...services, identity, failures, relyingParty: relyingPartyAt(services.publicUrl) };
  serveSessions(app, options);
  serveProfile(app, options);
  servePasskeys(app, options);
  serveTeam(app, options);
}
