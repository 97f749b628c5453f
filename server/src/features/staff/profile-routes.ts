import type { FastifyInstance } from 'fastify';
import { bindConsole } from '../../http/bind-console.ts';
import { STAFF_COOKIE } from '../../http/session-cookie.ts';
import { changePassword } from '../../identity/change-password.ts';
import { STAFF } from '../../identity/people.ts';
import {
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '../../identity/second-factor.ts';
import { changeStaffProfile } from './change-profile.ts';
import { presentStaffSession } from './staff-json.ts';
import type { StaffOptions } from './staff-options.ts';

/** Endpoints for the own profile, password and second factor. */
export function serveStaffProfile(app: FastifyInstance, options: StaffOptions): void {
  const { db, now } = options;

  bindConsole(app, 'updateProfile', async ({ staff, body: { name, language }, answer }) => {
    await changeStaffProfile(db, staff, { name, language }, now());
    return answer(200, presentStaffSession({ ...staff, name, language }));
  });

  bindConsole(app, 'changePassword', async ({ staff, body, answer }) => {
    const token = await changePassword(options, staff, body, now());
    return answer(200, { success: true }, STAFF_COOKIE.set(token, STAFF.sessionSeconds));
  });

  bindConsole(app, 'startSecondFactor', async ({ staff, body, answer }) => {
    const setUp = await startSecondFactor(options, staff, body.password, now());
    return answer(200, { success: true, ...setUp });
  });

  bindConsole(app, 'confirmSecondFactor', async ({ staff, body, answer }) => {
    const { recoveryCodes, token } = await confirmSecondFactor(options, staff, body.code, now());
    return answer(200, { success: true, recoveryCodes }, STAFF_COOKIE.set(token, STAFF.sessionSeconds));
  });

  bindConsole(app, 'removeSecondFactor', async ({ staff, body, answer }) => {
    await removeSecondFactor(options, staff, body, now());
    return answer(200, { success: true });
  });

  bindConsole(app, 'renewRecoveryCodes', async ({ staff, body, answer }) => {
    const recoveryCodes = await renewRecoveryCodes(options, staff, body, now());
    return answer(200, { success: true, recoveryCodes });
  });
}
