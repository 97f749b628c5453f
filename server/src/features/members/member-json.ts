import {
  type Act,
  type ActName,
  type Invitation,
  type Language,
  ROLE_ALLOWS,
  type Role,
  type SessionAnswer,
  type TeamMember,
} from '@navette/contract';
import type { SignedInMember } from '../../http/member-authentication.ts';
import type { findInvitationByToken, listInvitations } from './invitations.ts';
import { printableText } from './printable-text.ts';
import type { listActs } from './security-log.ts';
import type { listMembers } from './team.ts';

// A check constraint of the table guarantees it; the generated type does not express it.
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
  mode: member.isTestMode ? 'test' : 'live',
  clockAheadSeconds: Math.floor(member.clockAheadMs / 1_000),
  may: [...ROLE_ALLOWS[member.role]],
  csrfToken: member.csrfToken,
  expiresAt: member.expiresAt.toISOString(),
  view: member.view && { by: member.name, reason: member.view.reason },
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

/** For the invited person, who has no account yet. */
export const presentInvited = ({ email, role, language, accountName, invitedBy }: InvitedRow) => ({
  email,
  role: asRole(role),
  language: language as Language,
  accountName,
  invitedBy,
});

type ActRow = Awaited<ReturnType<typeof listActs>>['acts'][number];

export const presentAct = (row: ActRow): Act => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: {
    kind: kindOf(row),
    id: row.memberId ?? row.keyId,
    email: printable(row.email),
    name: printable(row.name),
    hint: row.hint,
  },
  act: row.act as ActName,
  subject: printable(row.subject),
});

function kindOf({ byUnknown, keyId, memberId }: ActRow): Act['actor']['kind'] {
  if (byUnknown) return 'unknown';
  if (keyId) return 'key';
  return memberId ? 'member' : 'operator';
}

const printable = (text: string | null) => text && printableText(text);
