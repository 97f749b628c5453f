import Type, { type Static } from 'typebox';
import { Closed, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { LANGUAGES, ROLES } from './roles.ts';
import { DoneAnswer, Email } from './session.ts';

const TeamMember = Closed(
  {
    id: Id('The member.'),
    name: Type.String(),
    email: Type.String(),
    role: OneOf(ROLES),
    secondFactor: Type.Boolean(),
    lastSeenAt: Nullable(Instant({ description: 'Null: not signed in anywhere.' })),
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
    invitedBy: Nullable(Type.String()),
    createdAt: Instant(),
    expiresAt: Instant(),
  },
  { title: 'Invitation' },
);
export type Invitation = Static<typeof Invitation>;

const Act = Closed(
  {
    id: Id('The act.'),
    at: Instant(),
    actor: Nullable(Type.String({ description: 'The member’s name then; null: the operator.' })),
    act: Type.String({ examples: ['signed-in', 'role-changed'] }),
    subject: Nullable(Type.String({ description: 'Whom or what it was done to.' })),
  },
  { title: 'Act' },
);
export type Act = Static<typeof Act>;

const InvitationAnswer = Closed({ success: Success, invitation: Invitation });
const MemberParams = Type.Object({ id: Id('The member.') });
const InvitationParams = Type.Object({ id: Id('The invitation.') });

export const teamEndpoints = defineEndpoints({
  listTeam: {
    section: 'Team',
    summary: 'Members and open invitations',
    answers: {
      200: Closed({ success: Success, members: Type.Array(TeamMember), invitations: Type.Array(Invitation) }),
    },
    needs: 'read',
  },
  inviteMember: {
    section: 'Team',
    summary: 'Invite somebody by e-mail',
    description: 'An open invitation of the same address is replaced, and its link is dead.',
    body: Type.Object({ email: Email, role: OneOf(ROLES), language: Type.Optional(OneOf(LANGUAGES)) }),
    answers: { 201: InvitationAnswer },
    refusals: ['EMAIL_TAKEN', 'TEAM_FULL'],
    needs: 'own',
  },
  resendInvitation: {
    section: 'Team',
    summary: 'Send a new link; the one before is dead',
    params: InvitationParams,
    answers: { 200: InvitationAnswer },
    needs: 'own',
    findsOne: true,
  },
  withdrawInvitation: {
    section: 'Team',
    summary: 'Withdraw an invitation: its link opens nothing',
    params: InvitationParams,
    answers: { 200: DoneAnswer },
    needs: 'own',
    findsOne: true,
  },
  changeRole: {
    section: 'Team',
    summary: 'Give a member another role, from their next request on',
    params: MemberParams,
    body: Type.Object({ role: OneOf(ROLES) }),
    answers: { 200: DoneAnswer },
    refusals: ['LAST_OWNER'],
    needs: 'own',
    findsOne: true,
  },
  removeMember: {
    section: 'Team',
    summary: 'Remove a member and end their sessions',
    params: MemberParams,
    answers: { 200: DoneAnswer },
    refusals: ['LAST_OWNER'],
    needs: 'own',
    findsOne: true,
  },
  listActs: {
    section: 'Team',
    summary: 'Who did what that matters for security, the latest first',
    query: Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 100, description: 'From `nextCursor`.' })) }),
    answers: { 200: Closed({ success: Success, acts: Type.Array(Act), nextCursor: Nullable(Type.String()) }) },
    needs: 'own',
  },
});
