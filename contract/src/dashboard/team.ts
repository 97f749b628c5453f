import Type, { type Static } from 'typebox';
import { Closed, Cursor, Email, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { Act } from './acts.ts';
import { defineEndpoints } from './endpoint.ts';
import { LANGUAGES, ROLES } from './roles.ts';
import { DoneAnswer } from './session.ts';

const TeamMember = Closed(
  {
    id: Id('The member.'),
    name: Type.String(),
    email: Type.String(),
    role: OneOf(ROLES),
    secondFactor: Type.Boolean(),
    lastSeenAt: Nullable(Instant({ description: 'Null when the member has no session.' })),
    createdAt: Instant(),
  },
  { title: 'TeamMember' },
);
export type TeamMember = Static<typeof TeamMember>;

const Invitation = Closed(
  {
    id: Id('The invitation.'),
    email: Type.String(),
    role: OneOf(ROLES),
    invitedBy: Nullable(Type.String({ description: 'E-mail address of the member; null for the operator.' })),
    createdAt: Instant(),
    expiresAt: Instant(),
  },
  { title: 'Invitation' },
);
export type Invitation = Static<typeof Invitation>;

const InvitationAnswer = Closed({ success: Success, invitation: Invitation });
const RemovalAnswer = Closed({
  success: Success,
  activeKeys: Type.Array(
    Closed({ id: Id('Key id'), name: Nullable(Type.String()), hint: Type.String() }, { title: 'KeyLeft' }),
    { description: 'Active API keys that the member created: the former member may still have them.' },
  ),
  withdrawnInvitations: Type.Array(Type.String({ description: 'The invited address.' })),
});
const MemberParams = Type.Object({ id: Id('The member.') });
const InvitationParams = Type.Object({ id: Id('The invitation.') });

export const teamEndpoints = defineEndpoints({
  listTeam: {
    section: 'Team',
    summary: 'List members and open invitations',
    answers: {
      200: Closed({ success: Success, members: Type.Array(TeamMember), invitations: Type.Array(Invitation) }),
    },
    needs: 'read',
  },
  inviteMember: {
    section: 'Team',
    summary: 'Invite a member by e-mail',
    description: 'Replaces an open invitation of the same address, whose link becomes invalid.',
    body: Type.Object({ email: Email(), role: OneOf(ROLES), language: Type.Optional(OneOf(LANGUAGES)) }),
    answers: { 201: InvitationAnswer },
    refusals: ['EMAIL_TAKEN', 'TEAM_FULL'],
    needs: 'own',
  },
  resendInvitation: {
    section: 'Team',
    summary: 'Send a new link; the previous one becomes invalid',
    params: InvitationParams,
    answers: { 200: InvitationAnswer },
    needs: 'own',
    findsOne: true,
  },
  withdrawInvitation: {
    section: 'Team',
    summary: 'Withdraw an invitation; its link becomes invalid',
    params: InvitationParams,
    answers: { 200: DoneAnswer },
    needs: 'own',
    findsOne: true,
  },
  changeRole: {
    section: 'Team',
    summary: 'Change a member’s role, effective with their next request',
    params: MemberParams,
    body: Type.Object({ role: OneOf(ROLES) }),
    answers: { 200: DoneAnswer },
    refusals: ['LAST_OWNER'],
    needs: 'own',
    findsOne: true,
  },
  removeMember: {
    section: 'Team',
    summary: 'Remove a member, end their sessions and withdraw their invitations',
    description: 'API keys that the member created stay active: they belong to the account. The response lists them.',
    params: MemberParams,
    answers: { 200: RemovalAnswer },
    refusals: ['LAST_OWNER'],
    needs: 'own',
    findsOne: true,
  },
  listActs: {
    section: 'Team',
    summary: 'List the security log, newest first',
    query: Type.Object({
      cursor: Cursor,
    }),
    answers: { 200: Closed({ success: Success, acts: Type.Array(Act), nextCursor: Nullable(Type.String()) }) },
    needs: 'own',
  },
});
