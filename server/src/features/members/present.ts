import {
  type Act,
  type Invitation,
  type Language,
  ROLE_ALLOWS,
  type Role,
  type SessionAnswer,
  type TeamMember,
} from '@navette/contract';
import type { SignedInMember } from '../../http/dashboard-door.ts';
import type { listActs } from './acts.ts';
import type { findInvitationByToken, listInvitations } from './invitations.ts';
import type { listMembers } from './team.ts';

// What a check of the table guarantees, and its type does not say.
const asRole = (text: string) => text as Role;

export const presentSession = (member: SignedInMember): SessionAnswer => ({
  success: true,
  member: {
    id: member.memberId,
    name: member.name,
    email: member.email,
    role: member.role,
    language: member.language,
    secondFactor: member.hasSecondFactor,
  },
  account: { id: member.accountId, name: member.accountName, clientId: member.clientId },
  may: [...ROLE_ALLOWS[member.role]],
  csrfToken: member.csrfToken,
  expiresAt: member.expiresAt.toISOString(),
});

type MemberRow = Awaited<ReturnType<typeof listMembers>>[number];

export const presentTeamMember = ({ secondFactorSince, ...row }: MemberRow): TeamMember => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: asRole(row.role),
  secondFactor: secondFactorSince !== null,
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

type InvitationRow = Awaited<ReturnType<typeof listInvitations>>[number];

export const presentInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  email: row.email,
  role: asRole(row.role),
  invitedBy: row.invitedBy,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});

type InvitedRow = NonNullable<Awaited<ReturnType<typeof findInvitationByToken>>>;

/** For the invited, before they are anybody. */
export const presentInvited = ({ email, role, language, accountName, invitedBy }: InvitedRow) => ({
  email,
  role: asRole(role),
  language: language as Language,
  accountName,
  invitedBy,
});

type ActRow = Awaited<ReturnType<typeof listActs>>['acts'][number];

export const presentAct = ({ at, ...row }: ActRow): Act => ({ ...row, at: at.toISOString() });
