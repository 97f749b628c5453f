import type { FastifyInstance } from 'fastify';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { MEMBER_COOKIE } from '../../http/session-cookie.ts';
import { MEMBERS } from '../../identity/people.ts';
import { requestPasswordReset, resetPassword } from '../../identity/reset-password.ts';
import { closeAllSessions, closeOwnSession, closeSession, listSessions } from '../../identity/sessions.ts';
import { signIn } from '../../identity/sign-in.ts';
import { refuseAsNotFound, refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { findInvitationByToken } from './invitations.ts';
import { presentInvited, presentSession } from './member-json.ts';
import type { MembersOptions } from './members-options.ts';
import { requireActor } from './require-actor.ts';
import { recordAct } from './security-log.ts';
import { browserOf, startSession } from './start-session.ts';

/** Endpoints for sign-in, sign-out, password reset and invitations. */
export function serveSessions(app: FastifyInstance, options: MembersOptions): void {
  const { db, now } = options;

  bindDashboard(app, 'signIn', async ({ body, answer, request }) => {
    const token = await signIn(options, body, browserOf(request), now());
    const { session, cookie } = await startSession(options, token);
    return answer(201, session, cookie);
  });

  bindDashboard(app, 'readSession', ({ member, answer }) => answer(200, presentSession(member)));

  bindDashboard(app, 'signOut', async ({ answer, request }) => {
    const token = MEMBER_COOKIE.read(request);
    if (token) await closeSession(db, MEMBERS, token);
    return answer(200, { success: true }, MEMBER_COOKIE.clear());
  });

  bindDashboard(app, 'listSessions', async ({ member, answer }) => {
    const open = await listSessions(db, MEMBERS, member.memberId, now());
    const presented = open.map(({ createdAt, lastSeenAt, ...session }) => ({
      ...session,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      current: session.id === member.sessionId,
    }));
    return answer(200, { success: true, sessions: presented });
  });

  bindDashboard(app, 'closeSession', async ({ member, params, answer }) => {
    if (!(await closeOwnSession(db, MEMBERS, member.memberId, params.id))) return refuseAsNotFound();
    return answer(200, { success: true });
  });

  bindDashboard(app, 'signOutEverywhere', async ({ member, answer }) => {
    await db.transaction().execute(async (tx) => {
      const actor = await requireActor(tx, member, 'self', now());
      await closeAllSessions(tx, MEMBERS, member.memberId);
      await recordAct(tx, member.ownAccountId, actor, { act: 'signed-out-everywhere' }, now());
    });
    return answer(200, { success: true }, MEMBER_COOKIE.clear());
  });

  bindDashboard(app, 'requestPasswordReset', async ({ body, answer, request }) => {
    await requestPasswordReset(options, body.email, request.ip);
    return answer(202, { success: true });
  });

  bindDashboard(app, 'resetPassword', async ({ body, answer }) => {
    await resetPassword(options, body, now());
    return answer(200, { success: true });
  });

  bindDashboard(app, 'readInvitation', async ({ body, answer }) => {
    const invitation = (await findInvitationByToken(db, body.token, now())) ?? refuseDashboard('LINK_GONE');
    return answer(200, { success: true, invitation: presentInvited(invitation) });
  });

  bindDashboard(app, 'acceptInvitation', async ({ body, answer, request }) => {
    const token = await acceptInvitation(db, body, browserOf(request), now());
    const { session, cookie } = await startSession(options, token);
    return answer(201, session, cookie);
  });
}
