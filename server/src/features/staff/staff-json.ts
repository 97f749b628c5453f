import {
  type ConsoleSession,
  type Language,
  STAFF_ROLE_ALLOWS,
  type StaffInvitation,
  type StaffListed,
  type StaffRole,
} from '@navette/contract';
import { lacksSecondFactor, type SignedInStaff } from '../../http/staff-authentication.ts';
import type { listStaffInvitations } from './invitations.ts';
import type { listStaff } from './manage-staff.ts';

// A check constraint of the table guarantees it; the generated type does not express it.
const asRole = (text: string) => text as StaffRole;

export const presentStaffSession = (staff: SignedInStaff): ConsoleSession => ({
  success: true,
  staff: {
    id: staff.staffId,
    name: staff.name,
    email: staff.email,
    role: staff.role,
    language: staff.language,
    secondFactor: staff.hasSecondFactor,
    singleSignOn: staff.bySingleSignOn,
  },
  may: [...STAFF_ROLE_ALLOWS[staff.role]],
  secondFactorMissing: lacksSecondFactor(staff),
  csrfToken: staff.csrfToken,
  expiresAt: staff.expiresAt.toISOString(),
});

type StaffRow = Awaited<ReturnType<typeof listStaff>>[number];

export const presentStaffListed = ({ secondFactorSince, singleSignOnSubject, ...row }: StaffRow): StaffListed => ({
  ...row,
  role: asRole(row.role),
  secondFactor: secondFactorSince !== null,
  singleSignOn: singleSignOnSubject !== null,
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

type InvitationRow = Awaited<ReturnType<typeof listStaffInvitations>>[number];

export const presentStaffInvitation = (row: InvitationRow): StaffInvitation => ({
  id: row.id,
  email: row.email,
  invitedBy: row.invitedBy,
  role: asRole(row.role),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});

/** For the invited person, who has no session yet. */
export const presentInvitedStaff = ({ email, role, language, invitedBy }: InvitationRow) => ({
  email,
  role: asRole(role),
  language: language as Language,
  invitedBy,
});
