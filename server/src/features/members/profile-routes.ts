import type { FastifyInstance } from 'fastify';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { setSessionCookie } from '../../http/session-cookie.ts';
import { changePassword } from './change-password.ts';
import { SESSION_SECONDS } from './member-sessions.ts';
import type { MembersOptions } from './members-options.ts';
import { presentSession } from './present.ts';
import { confirmSecondFactor, removeSecondFactor, renewRecoveryCodes, startSecondFactor } from './second-factor.ts';

/** What members do about themselves. */
export function serveProfile(app: FastifyInstance, { db, sealer, now }: MembersOptions): void {
  bindDashboard(app, 'updateProfile', async ({ member, body: { name, language }, answer }) => {
    await db.updateTable('members').set({ name, language }).where('id', '=', member.memberId).execute();
    return answer(200, presentSession({ ...member, name, language }));
  });

  bindDashboard(app, 'changePassword', async ({ member, body, answer }) => {
    const token = await changePassword(db, member, body, now());
    return answer(200, { success: true }, setSessionCookie(token, SESSION_SECONDS));
  });

  bindDashboard(app, 'startSecondFactor', async ({ member, body, answer }) => {
    const setUp = await startSecondFactor(db, sealer, member, body.password, now());
    return answer(200, { success: true, ...setUp });
  });

  bindDashboard(app, 'confirmSecondFactor', async ({ member, body, answer }) => {
    const { recoveryCodes, token } = await confirmSecondFactor(db, sealer, member, body.code, now());
    return answer(200, { success: true, recoveryCodes }, setSessionCookie(token, SESSION_SECONDS));
  });

  bindDashboard(app, 'removeSecondFactor', async ({ member, body, answer }) => {
    await removeSecondFactor(db, sealer, member, body, now());
    return answer(200, { success: true });
  });

  bindDashboard(app, 'renewRecoveryCodes', async ({ member, body, answer }) => {
    const recoveryCodes = await renewRecoveryCodes(db, sealer, member, body, now());
    return answer(200, { success: true, recoveryCodes });
  });
}
