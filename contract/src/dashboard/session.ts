import Type, { type Static } from 'typebox';
import { SHORTEST_MEMBER_PASSWORD } from '../limits.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { LANGUAGES, NEEDS, ROLES } from './roles.ts';

export const Email = Type.String({ format: 'email', maxLength: 254 });
export const DoneAnswer = Closed({ success: Success });
export const NewPassword = Type.String({ minLength: SHORTEST_MEMBER_PASSWORD, maxLength: 200 });
export const PersonName = Text({ maxLength: 100 });
const LinkToken = Type.String({ minLength: 1, maxLength: 200, description: 'From the fragment of the link.' });
const SessionParams = Type.Object({ id: Id('The session.') });

const SignInRequest = Type.Object({
  email: Text({ maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 200 }),
  code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Of the second factor, or a recovery code.' }),
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
    may: Type.Array(OneOf(NEEDS), { description: 'What the role allows.' }),
    csrfToken: Type.String({ description: 'Goes with every request but GET, as `X-CSRF-Token`.' }),
    expiresAt: Instant(),
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
    invitedBy: Nullable(Type.String()),
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
    description: 'Sets the session’s cookie. A member with a second factor sends the same again with `code`.',
    body: SignInRequest,
    answers: { 201: SessionAnswer },
    refusals: ['WRONG_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'WRONG_SECOND_FACTOR'],
    needs: null,
  },
  readSession: {
    section: 'Session',
    summary: 'Who is signed in, and what they may do',
    answers: { 200: SessionAnswer },
    needs: 'self',
  },
  signOut: {
    section: 'Session',
    summary: 'Sign out: the cookie opens nothing from now on',
    answers: { 200: DoneAnswer },
    needs: 'self',
  },
  listSessions: {
    section: 'Session',
    summary: 'Where the member is signed in, the latest seen first',
    answers: { 200: SessionsAnswer },
    needs: 'self',
  },
  closeSession: {
    section: 'Session',
    summary: 'Sign out elsewhere',
    params: SessionParams,
    answers: { 200: DoneAnswer },
    needs: 'self',
    findsOne: true,
  },
  signOutEverywhere: {
    section: 'Session',
    summary: 'End every session of the member, this one too',
    answers: { 200: DoneAnswer },
    needs: 'self',
  },
  requestPasswordReset: {
    section: 'Session',
    summary: 'Send a link to set a new password',
    description: 'The answer is the same whether the address is known or not.',
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
    summary: 'Who invites whom, by the link’s token',
    description: 'A POST, so that the token stands in no address.',
    body: Type.Object({ token: LinkToken }),
    answers: { 200: InvitationAnswer },
    refusals: ['LINK_GONE'],
    needs: null,
  },
  acceptInvitation: {
    section: 'Session',
    summary: 'Become a member and sign in',
    body: AcceptRequest,
    answers: { 201: SessionAnswer },
    refusals: ['LINK_GONE', 'EMAIL_TAKEN'],
    needs: null,
  },
});
