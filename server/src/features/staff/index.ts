import type { FastifyInstance } from 'fastify';
import { createFailureLog } from '../../identity/failure-log.ts';
import { serveOperatorActs } from './act-routes.ts';
import { serveStaffProfile } from './profile-routes.ts';
import { serveStaffSessions } from './session-routes.ts';
import { serveSingleSignOn } from './single-sign-on-routes.ts';
import { STAFF_IDENTITY } from './staff-identity.ts';
import type { StaffOptions } from './staff-options.ts';
import { serveStaffTeam } from './staff-routes.ts';

export type { SignedInStaff } from '../../http/staff-authentication.ts';
export { actAsStaff } from './act-as-staff.ts';
export { auditOperatorActs } from './audit-acts.ts';
export { readDoneAloneToday } from './done-alone.ts';
export { inviteStaff, replaceStaffInvitationToken, type StaffInvitationRequest } from './invitations.ts';
export { findActOfCommand, findLatestAct, listActsOfCommand } from './latest-act.ts';
export { changeStaffRole, findStaffByEmail, listStaff, removeStaff } from './manage-staff.ts';
export {
  type ActDetails,
  type ActSubject,
  type NewOperatorAct,
  type OperatorActor,
  recordOperatorAct,
  type StaffActor,
} from './operator-log.ts';
export { type AuthorizeOperator, authorizeStaff, requireStaff } from './require-staff.ts';
export { createStaffSessions } from './staff-sessions.ts';

export function serveStaff(app: FastifyInstance, services: Omit<StaffOptions, 'failures' | 'identity'>): void {
  const identity = STAFF_IDENTITY;
  const failures = createFailureLog({ ...services, identity }, app.log);
  app.addHook('onClose', () => failures.stop());
  const options = { ...services, identity, failures };
  serveStaffSessions(app, options);
  serveStaffProfile(app, options);
  serveStaffTeam(app, options);
  serveOperatorActs(app, options);
  serveSingleSignOn(app, options);
}
