import type { FastifyInstance } from 'fastify';
import { bindConsole } from '../../http/bind-console.ts';
import { sendStaffMailJob } from '../../jobs/definitions.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { refuseAsTooMany } from '../../refusals/refusal.ts';
import { inviteStaff, listStaffInvitations, withdrawStaffInvitation } from './invitations.ts';
import { changeStaffRole, listStaff, removeStaff } from './manage-staff.ts';
import { authorizeStaff } from './require-staff.ts';
import { presentStaffInvitation, presentStaffListed } from './staff-json.ts';
import type { StaffOptions } from './staff-options.ts';

const INVITATIONS_PER_PERSON = { minute: 50, hour: 50, day: 50 }; // mails to arbitrary addresses

/** Endpoints for staff, roles and invitations. */
export function serveStaffTeam(app: FastifyInstance, { db, jobs, rateLimiter, now }: StaffOptions): void {
  bindConsole(app, 'listStaff', async ({ answer }) => {
    const [staff, invitations] = await Promise.all([listStaff(db, now()), listStaffInvitations(db)]);
    return answer(200, {
      success: true,
      staff: staff.map(presentStaffListed),
      invitations: invitations.map(presentStaffInvitation),
    });
  });

  bindConsole(app, 'inviteStaff', async ({ staff, body, answer }) => {
    const { exhausted } = await rateLimiter.take(`staff-invitations:${staff.staffId}`, INVITATIONS_PER_PERSON);
    if (exhausted) refuseAsTooMany(exhausted);
    const { email, role, language = staff.language } = body;
    const authorize = authorizeStaff(staff, 'administer', now());
    const invitation = await db.transaction().execute(async (tx) => {
      const invited = await inviteStaff(tx, authorize, { email, role, language }, now());
      await jobs.send(tx, sendStaffMailJob, { kind: 'invitation', id: invited.id });
      return invited;
    });
    return answer(201, { success: true, invitation: presentStaffInvitation(invitation) });
  });

  bindConsole(app, 'withdrawStaffInvitation', async ({ staff, params, answer }) => {
    const authorize = authorizeStaff(staff, 'administer', now());
    const withdrawn = await db.transaction().execute((tx) => withdrawStaffInvitation(tx, authorize, params.id, now()));
    return withdrawn ? answer(200, { success: true }) : refuseAsNotFound();
  });

  bindConsole(app, 'changeStaffRole', async ({ staff, params, body, answer }) => {
    const authorize = authorizeStaff(staff, 'administer', now());
    await changeStaffRole(db, authorize, { staffId: params.id, role: body.role }, now());
    return answer(200, { success: true });
  });

  bindConsole(app, 'removeStaff', async ({ staff, params, answer }) => {
    await removeStaff(db, authorizeStaff(staff, 'administer', now()), params.id, now());
    return answer(200, { success: true });
  });
}
