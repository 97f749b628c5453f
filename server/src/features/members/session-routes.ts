import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { refuseAsNotFound, refuseDashboard } from '../../http/dashboard-refusal.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from '../../http/session-cookie.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { recordAct } from './acts.ts';
import { describeDevice } from './device.ts';
import { findInvitationByToken } from './invitations.ts';
import { closeAllSessions, closeOwnSession, closeSession, listSessions, SESSION_SECONDS } from './member-sessions.ts';
import type { MembersOptions } from './members-options.ts';
import { presentInvited, presentSession } from './present.ts';
import { requestPasswordReset, resetPassword } from './reset-password.ts';
import { type Browser, signIn } from './sign-in.ts';

/** The way in and out, and the links that lead to it. */
export function serveSessions(app: FastifyInstance, options: MembersOptions): void {
  const { db, sessions, sealer, now } = options;

  const welcome = async (token: string) => {
    const member = (await sessions.find(token)) ?? refuseDashboard('NOT_SIGNED_IN');
    return { session: presentSession(member), cookie: setSessionCookie(token, SESSION_SECONDS) };
  };

  bindDashboard(app, 'signIn', async ({ body, answer, request }) => {
    const token = await signIn(db, sealer, body, browserOf(request), now());
    const { session, cookie } = await welcome(token);
    return answer(201, session, cookie);
  });

  bindDashboard(app, 'readSession', ({ member, answer }) => answer(200, presentSession(member)));

  bindDashboard(app, 'signOut', async ({ answer, request }) => {
    const token = readSessionCookie(request);
    if (token) await closeSession(db, token);
    return answer(200, { success: true }, clearSessionCookie());
  });

  bindDashboard(app, 'listSessions', async ({ member, answer }) => {
    const open = await listSessions(db, member.memberId, now());
    const presented = open.map(({ createdAt, lastSeenAt, ...session }) => ({
      ...session,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      current: session.id === member.sessionId,
    }));
    return answer(200, { success: true, sessions: presented });
  });

  bindDashboard(app, 'closeSession', async ({ member, params, answer }) => {
    if (!(await closeOwnSession(db, member.memberId, params.id))) return refuseAsNotFound();
    return answer(200, { success: true });
  });

  bindDashboard(app, 'signOutEverywhere', async ({ member, answer }) => {
    await closeAllSessions(db, member.memberId);
    await recordAct(db, member.accountId, member, 'signed-out-everywhere', null, now());
    return answer(200, { success: true }, clearSessionCookie());
  });

  bindDashboard(app, 'requestPasswordReset', async ({ body, answer, request }) => {
    await requestPasswordReset(options, body.email, request.ip);
    return answer(202, { success: true });
  });

  bindDashboard(app, 'resetPassword', async ({ body, answer }) => {
    await resetPassword(db, body, now());
    return answer(200, { success: true });
  });

  bindDashboard(app, 'readInvitation', async ({ body, answer }) => {
    const invitation = (await findInvitationByToken(db, body.token, now())) ?? refuseDashboard('LINK_GONE');
    return answer(200, { success: true, invitation: presentInvited(invitation) });
  });

  bindDashboard(app, 'acceptInvitation', async ({ body, answer, request }) => {
    const token = await acceptInvitation(db, body, browserOf(request), now());
    const { session, cookie } = await welcome(token);
    return answer(201, session, cookie);
  });
}

const browserOf = (request: FastifyRequest): Browser => ({
  device: describeDevice(request.headers['user-agent']),
  oldToken: readSessionCookie(request),
});
