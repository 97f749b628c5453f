import Type, { type Static } from 'typebox';
import { LANGUAGES } from '../dashboard/roles.ts';
import { DoneAnswer } from '../dashboard/session.ts';
import { Closed, Cursor, Email, File, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { STAFF_ROLES } from './roles.ts';

const StaffListed = Closed(
  {
    id: Id('The staff member.'),
    name: Type.String(),
    email: Type.String(),
    role: OneOf(STAFF_ROLES),
    secondFactor: Type.Boolean(),
    singleSignOn: Type.Boolean(),
    lastSeenAt: Nullable(Instant()),
    createdAt: Instant(),
  },
  { title: 'StaffListed' },
);
export type StaffListed = Static<typeof StaffListed>;

const StaffInvitation = Closed(
  {
    id: Id('The invitation.'),
    email: Type.String(),
    role: OneOf(STAFF_ROLES),
    invitedBy: Type.String(),
    createdAt: Instant(),
    expiresAt: Instant(),
  },
  { title: 'StaffInvitation' },
);
export type StaffInvitation = Static<typeof StaffInvitation>;

/** One entry of the append-only log. Its hash covers its fields and the hash before it. */
const OperatorAct = Closed(
  {
    number: Type.Integer({ description: 'Position in the chain, from 1 without gaps.' }),
    at: Instant(),
    actor: Closed({
      kind: OneOf(['staff', 'cli', 'unknown'] as const, { description: '`unknown`: a failed sign-in.' }),
      id: Nullable(Id('The staff member.')),
      name: Type.String({ description: 'Name at that time, or system user and host at the command line.' }),
    }),
    act: Type.String({ examples: ['shipment.assigned'] }),
    subject: Nullable(Closed({ type: Type.String(), id: Type.String(), title: Type.String() })),
    reason: Nullable(Type.String()),
    details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
    hash: Type.String({ description: 'SHA-256, hexadecimal.' }),
  },
  { title: 'OperatorAct' },
);
export type OperatorAct = Static<typeof OperatorAct>;

const ActsQuery = Type.Object({
  cursor: Cursor,
  staffId: Type.Optional(Id('Acts of one staff member.')),
  subjectId: Type.Optional(Type.String({ maxLength: 100, description: 'Acts on one shipment, account, driver, …' })),
  act: Type.Optional(Type.String({ maxLength: 60 })),
});
const Period = Type.Object({
  from: Type.Optional(Type.String({ format: 'iso-date', description: 'At or after.' })),
  to: Type.Optional(Type.String({ format: 'iso-date', description: 'At or before; a date includes the whole day.' })),
});

const StaffParams = Type.Object({ id: Id('The staff member.') });
const InvitationParams = Type.Object({ id: Id('The invitation.') });

export const staffEndpoints = defineConsoleEndpoints({
  listStaff: {
    section: 'Staff',
    summary: 'List staff and open invitations',
    answers: {
      200: Closed({ success: Success, staff: Type.Array(StaffListed), invitations: Type.Array(StaffInvitation) }),
    },
    needs: 'read',
  },
  inviteStaff: {
    section: 'Staff',
    summary: 'Invite somebody by e-mail',
    description: 'Replaces an open invitation of the same address, whose link becomes invalid.',
    body: Type.Object({ email: Email(), role: OneOf(STAFF_ROLES), language: Type.Optional(OneOf(LANGUAGES)) }),
    answers: { 201: Closed({ success: Success, invitation: StaffInvitation }) },
    refusals: ['EMAIL_TAKEN'],
    needs: 'administer',
  },
  withdrawStaffInvitation: {
    section: 'Staff',
    summary: 'Withdraw an invitation; its link becomes invalid',
    params: InvitationParams,
    answers: { 200: DoneAnswer },
    needs: 'administer',
    findsOne: true,
  },
  changeStaffRole: {
    section: 'Staff',
    summary: 'Change a role, effective with the next request',
    params: StaffParams,
    body: Type.Object({ role: OneOf(STAFF_ROLES) }),
    answers: { 200: DoneAnswer },
    refusals: ['LAST_ADMIN'],
    needs: 'administer',
    findsOne: true,
  },
  removeStaff: {
    section: 'Staff',
    summary: 'Remove a staff member and end their sessions',
    params: StaffParams,
    answers: { 200: DoneAnswer },
    refusals: ['LAST_ADMIN'],
    needs: 'administer',
    findsOne: true,
  },
  listOperatorActs: {
    section: 'Log of acts',
    summary: 'List acts of staff and of the command line, newest first',
    query: ActsQuery,
    answers: {
      200: Closed({ success: Success, acts: Type.Array(OperatorAct), nextCursor: Nullable(Type.String()) }),
    },
    needs: 'administer',
  },
  exportOperatorActs: {
    section: 'Log of acts',
    summary: 'Export the log as CSV',
    query: Period,
    answers: { 200: File('text/csv') },
    needs: 'administer',
  },
  exportOperatorActLines: {
    section: 'Log of acts',
    summary: 'Export the log as JSON lines, with the hashes that prove it complete',
    query: Period,
    answers: { 200: File('application/jsonl') },
    needs: 'administer',
  },
});
