import Type, { type Static } from 'typebox';
import { SHORTEST_MEMBER_PASSWORD } from '../limits.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { LANGUAGES, MODES, NEEDS, ROLES } from './roles.ts';

export const DoneAnswer = Closed({ success: Success });
export const NewPassword = Type.String({
  minLength: SHORTEST_MEMBER_PASSWORD,
  maxLength: 200,
  description: 'A password that is easy to guess is refused with the rule `guessable`.',
});
export const PersonName = Text({ maxLength: 100 });
export const LinkToken = Type.String({ minLength: 1, maxLength: 200, description: 'From the fragment of the link.' });
const SessionParams = Type.Object({ id: Id('The session.') });

export const SignInRequest = Type.Object({
  email: Text({ maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 200 }),
  code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'A code of the second factor, or a recovery code.' }),
  ),
});

export const Member = Closed(
  {
    id: Id('The member.'),
    name: Type.String(),
    email: Type.String(),
    role: OneOf(ROLES),
    language: OneOf(LANGUAGES),
    secondFactor: Type.Boolean(),
  },
  { title: 'Member' },
);
export type Member = Static<typeof Member>;

export const SessionAnswer = Closed(
  {
    success: Success,
    member: Member,
    account: Closed({ id: Id('The account.'), name: Type.String(), clientId: Type.String() }),
    mode: OneOf(MODES, { description: '`test`: the session shows the test twin of the account.' }),
    clockAheadSeconds: Type.Integer({
      description: 'How far the clock of the test twin is ahead of the real time; 0 in live mode.',
    }),
    may: Type.Array(OneOf(NEEDS), { description: 'What the role allows.' }),
    csrfToken: Type.String({ description: 'Send it as `X-CSRF-Token` with every request except GET.' }),
    expiresAt: Instant(),
    view: Nullable(
      Closed(
        { by: Type.String({ description: 'Name of the staff member.' }), reason: Type.String() },
        { description: 'A staff member of the operator views the dashboard, read only, until `expiresAt`. Else null.' },
      ),
    ),
  },
  { title: 'Session' },
);
export type SessionAnswer = Static<typeof SessionAnswer>;

const SessionsAnswer = Closed({
  success: Success,
  sessions: Type.Array(
    Closed(
      {
        id: Id('The session.'),
        device: Nullable(Type.String({ examples: ['Firefox · Windows'] })),
        createdAt: Instant(),
        lastSeenAt: Instant(),
        current: Type.Boolean(),
      },
      { title: 'OpenSession' },
    ),
  ),
});

const InvitationAnswer = Closed({
  success: Success,
  invitation: Closed({
    email: Type.String(),
    role: OneOf(ROLES),
    language: OneOf(LANGUAGES),
    accountName: Type.String(),
    invitedBy: Nullable(Type.String({ description: 'E-mail address of the member; null for the operator.' })),
  }),
});

const AcceptRequest = Type.Object({
  token: LinkToken,
  name: PersonName,
  password: NewPassword,
  language: OneOf(LANGUAGES),
});

export const sessionEndpoints = defineEndpoints({
  signIn: {
    section: 'Session',
    summary: 'Sign in',
    description: 'Sets the session cookie. A member with a second factor sends the same request again with `code`.',
    body: SignInRequest,
    answers: { 201: SessionAnswer },
    refusals: ['WRONG_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'WRONG_SECOND_FACTOR'],
    needs: null,
  },
  readSession: {
    section: 'Session',
    summary: 'Read the session: the signed-in member and their permissions',
    answers: { 200: SessionAnswer },
    needs: 'self',
  },
  switchMode: {
    section: 'Session',
    summary: 'Show the live account, or its test twin',
    description:
      'The first switch to test mode creates the twin and needs the permission `develop`. The session gets a new cookie and CSRF token, so a page that still shows the other mode can change nothing.',
    body: Type.Object({ mode: OneOf(MODES) }),
    answers: { 200: SessionAnswer },
    refusals: ['ROLE_NOT_ALLOWED'],
    needs: 'self',
  },
  signOut: {
    section: 'Session',
    summary: 'Sign out and end the session',
    answers: { 200: DoneAnswer },
    needs: 'self',
  },
  endView: {
    section: 'Session',
    summary: 'End the view of a staff member, which is read only',
    description: 'Staff start a view in the operator’s console. A member has none: 404.',
    answers: { 200: DoneAnswer },
    needs: 'self',
    findsOne: true,
  },
  listSessions: {
    section: 'Session',
    summary: 'List the member’s sessions, most recently used first',
    answers: { 200: SessionsAnswer },
    needs: 'self',
  },
  closeSession: {
    section: 'Session',
    summary: 'End another session of the member',
    params: SessionParams,
    answers: { 200: DoneAnswer },
    needs: 'self',
    findsOne: true,
  },
  signOutEverywhere: {
    section: 'Session',
    summary: 'End all sessions of the member, including this one',
    answers: { 200: DoneAnswer },
    needs: 'self',
  },
  requestPasswordReset: {
    section: 'Session',
    summary: 'Send a link to set a new password',
    description: 'The response is the same whether the address is known or not.',
    body: Type.Object({ email: Text({ maxLength: 254 }) }),
    answers: { 202: DoneAnswer },
    needs: null,
  },
  resetPassword: {
    section: 'Session',
    summary: 'Set a new password with the link’s token',
    description: 'Ends every session of the member.',
    body: Type.Object({ token: LinkToken, password: NewPassword }),
    answers: { 200: DoneAnswer },
    refusals: ['LINK_GONE'],
    needs: null,
  },
  readInvitation: {
    section: 'Session',
    summary: 'Read an invitation by the link’s token',
    description: 'POST, so that no URL contains the token.',
    body: Type.Object({ token: LinkToken }),
    answers: { 200: InvitationAnswer },
    refusals: ['LINK_GONE'],
    needs: null,
  },
  acceptInvitation: {
    section: 'Session',
    summary: 'Accept an invitation and sign in',
    body: AcceptRequest,
    answers: { 201: SessionAnswer },
    refusals: ['LINK_GONE', 'EMAIL_TAKEN'],
    needs: null,
  },
});
