import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bindConsole } from '../../http/bind-console.ts';
import { describeDevice } from '../../http/describe-device.ts';
import { STAFF_COOKIE } from '../../http/session-cookie.ts';
import { STAFF } from '../../identity/people.ts';
import { requestPasswordReset, resetPassword } from '../../identity/reset-password.ts';
import { closeSession } from '../../identity/sessions.ts';
import { type Browser, signIn } from '../../identity/sign-in.ts';
import { refuseConsole } from '../../refusals/console-refusal.ts';
import { acceptStaffInvitation } from './accept-invitation.ts';
import { findStaffInvitationByToken } from './invitations.ts';
import { presentInvitedStaff, presentStaffSession } from './staff-json.ts';
import type { StaffOptions } from './staff-options.ts';

/** Endpoints for sign-in, sign-out, password reset and invitations. */
export function serveStaffSessions(app: FastifyInstance, options: StaffOptions): void {
  const { db, config, sessions, now } = options;
  const hasPasswords = config.staffPasswordSignIn === 'on';
  const refuseWithoutPasswords = () => hasPasswords || refuseConsole('PASSWORD_SIGN_IN_OFF');

  const startSession = async (token: string) => {
    const staff = (await sessions.find(token)) ?? refuseConsole('NOT_SIGNED_IN');
    return { session: presentStaffSession(staff), cookie: STAFF_COOKIE.set(token, STAFF.sessionSeconds) };
  };

  bindConsole(app, 'signIn', async ({ body, answer, request }) => {
    refuseWithoutPasswords();
    const token = await signIn(options, body, browserOf(request), now());
    const { session, cookie } = await startSession(token);
    return answer(201, session, cookie);
  });

  bindConsole(app, 'readSession', ({ staff, answer }) => answer(200, presentStaffSession(staff)));

  bindConsole(app, 'signOut', async ({ answer, request }) => {
    const token = STAFF_COOKIE.read(request);
    if (token) await closeSession(db, STAFF, token);
    return answer(200, { success: true }, STAFF_COOKIE.clear());
  });

  const singleSignOn = config.oidc.issuer ? { name: config.oidc.name } : null;
  bindConsole(app, 'readSignInWays', ({ answer }) =>
    answer(200, { success: true, password: hasPasswords, singleSignOn }),
  );

  bindConsole(app, 'requestPasswordReset', async ({ body, answer, request }) => {
    refuseWithoutPasswords();
    await requestPasswordReset(options, body.email, request.ip);
    return answer(202, { success: true });
  });

  bindConsole(app, 'resetPassword', async ({ body, answer }) => {
    refuseWithoutPasswords();
    await resetPassword(options, body, now());
    return answer(200, { success: true });
  });

  bindConsole(app, 'readInvitation', async ({ body, answer }) => {
    const invitation = (await findStaffInvitationByToken(db, body.token, now())) ?? refuseConsole('LINK_GONE');
    return answer(200, { success: true, invitation: presentInvitedStaff(invitation) });
  });

  bindConsole(app, 'acceptInvitation', async ({ body, answer, request }) => {
    refuseWithoutPasswords();
    const token = await acceptStaffInvitation(db, body, browserOf(request), now());
    const { session, cookie } = await startSession(token);
    return answer(201, session, cookie);
  });
}

export const browserOf = (request: FastifyRequest): Browser => ({
  device: describeDevice(request.headers['user-agent']),
  oldToken: STAFF_COOKIE.read(request),
});
