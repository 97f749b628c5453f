import type { FastifyInstance } from 'fastify';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { MEMBER_COOKIE } from '../../http/session-cookie.ts';
import { changePassword } from '../../identity/change-password.ts';
import { MEMBERS } from '../../identity/people.ts';
import {
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '../../identity/second-factor.ts';
import { changeProfile } from './change-profile.ts';
import { presentSession } from './member-json.ts';
import type { MembersOptions } from './members-options.ts';

/** Endpoints for the member's own profile, password and second factor. */
export function serveProfile(app: FastifyInstance, options: MembersOptions): void {
  const { now } = options;

  bindDashboard(app, 'updateProfile', async ({ member, body: { name, language }, answer }) => {
    await changeProfile(options, member, { name, language }, now());
    return answer(200, presentSession({ ...member, name, language }));
  });

  bindDashboard(app, 'changePassword', async ({ member, body, answer }) => {
    const token = await changePassword(options, member, body, now());
    return answer(200, { success: true }, MEMBER_COOKIE.set(token, MEMBERS.sessionSeconds));
  });

  bindDashboard(app, 'startSecondFactor', async ({ member, body, answer }) => {
    const setUp = await startSecondFactor(options, member, body.password, now());
    return answer(200, { success: true, ...setUp });
  });

  bindDashboard(app, 'confirmSecondFactor', async ({ member, body, answer }) => {
    const { recoveryCodes, token } = await confirmSecondFactor(options, member, body.code, now());
    return answer(200, { success: true, recoveryCodes }, MEMBER_COOKIE.set(token, MEMBERS.sessionSeconds));
  });

  bindDashboard(app, 'removeSecondFactor', async ({ member, body, answer }) => {
    await removeSecondFactor(options, member, body, now());
    return answer(200, { success: true });
  });

  bindDashboard(app, 'renewRecoveryCodes', async ({ member, body, answer }) => {
    const recoveryCodes = await renewRecoveryCodes(options, member, body, now());
    return answer(200, { success: true, recoveryCodes });
  });
}
