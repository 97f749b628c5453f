import Type, { type Static } from 'typebox';
import { LANGUAGES } from '../dashboard/roles.ts';
import { DoneAnswer, LinkToken, NewPassword, PersonName, SignInRequest } from '../dashboard/session.ts';
import { Closed, File, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { STAFF_NEEDS, STAFF_ROLES } from './roles.ts';

export const Staff = Closed(
  {
    id: Id('The staff member.'),
    name: Type.String(),
    email: Type.String(),
    role: OneOf(STAFF_ROLES),
    language: OneOf(LANGUAGES),
    secondFactor: Type.Boolean(),
    singleSignOn: Type.Boolean({ description: 'Signs in with the identity provider, which also gives the role.' }),
  },
  { title: 'Staff' },
);
export type Staff = Static<typeof Staff>;

export const ConsoleSession = Closed(
  {
    success: Success,
    staff: Staff,
    may: Type.Array(OneOf(STAFF_NEEDS), { description: 'What the role allows.' }),
    secondFactorMissing: Type.Boolean({
      description: 'Staff who sign in with a password must set up a second factor before anything else.',
    }),
    csrfToken: Type.String({ description: 'Send it as `X-CSRF-Token` with every request except GET.' }),
    expiresAt: Instant(),
  },
  { title: 'ConsoleSession' },
);
export type ConsoleSession = Static<typeof ConsoleSession>;

export const consoleSessionEndpoints = defineConsoleEndpoints({
  signIn: {
    section: 'Session',
    summary: 'Sign in with e-mail, password and second factor',
    body: SignInRequest,
    answers: { 201: ConsoleSession },
    refusals: ['WRONG_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'WRONG_SECOND_FACTOR', 'PASSWORD_SIGN_IN_OFF'],
    needs: null,
  },
  readSession: {
    section: 'Session',
    summary: 'Read the session: the signed-in staff member and their permissions',
    answers: { 200: ConsoleSession },
    needs: 'self',
    beforeSecondFactor: true,
  },
  signOut: {
    section: 'Session',
    summary: 'Sign out and end the session',
    answers: { 200: DoneAnswer },
    needs: 'self',
    beforeSecondFactor: true,
  },
  readSignInWays: {
    section: 'Session',
    summary: 'Read how staff sign in here',
    answers: {
      200: Closed({
        success: Success,
        password: Type.Boolean(),
        singleSignOn: Nullable(Closed({ name: Type.String({ description: 'The identity provider, for people.' }) })),
      }),
    },
    needs: null,
  },
  startSingleSignOn: {
    section: 'Session',
    summary: 'Redirect to the identity provider',
    description: 'When the provider does not answer, redirects to the sign-in page with `error=SINGLE_SIGN_ON_FAILED`.',
    answers: { 302: File('text/plain') },
    needs: null,
    findsOne: true,
  },
  finishSingleSignOn: {
    section: 'Session',
    summary: 'Return from the identity provider: opens the session and redirects to the console',
    description:
      'A refused sign-in redirects to the sign-in page with `error=SINGLE_SIGN_ON_FAILED`, or with `error=SINGLE_SIGN_ON_NO_ROLE` when the person has no role of the console.',
    answers: { 302: File('text/plain') },
    needs: null,
    findsOne: true,
  },
  requestPasswordReset: {
    section: 'Session',
    summary: 'Send a link to set a new password',
    description: 'The response is the same whether the address is known or not.',
    body: Type.Object({ email: Text({ maxLength: 254 }) }),
    answers: { 202: DoneAnswer },
    refusals: ['PASSWORD_SIGN_IN_OFF'],
    needs: null,
  },
  resetPassword: {
    section: 'Session',
    summary: 'Set a new password with the link’s token; ends every session',
    body: Type.Object({ token: LinkToken, password: NewPassword }),
    answers: { 200: DoneAnswer },
    refusals: ['LINK_GONE', 'PASSWORD_SIGN_IN_OFF'],
    needs: null,
  },
  readInvitation: {
    section: 'Session',
    summary: 'Read an invitation by the link’s token',
    description: 'POST, so that no URL contains the token.',
    body: Type.Object({ token: LinkToken }),
    answers: {
      200: Closed({
        success: Success,
        invitation: Closed({
          email: Type.String(),
          role: OneOf(STAFF_ROLES),
          language: OneOf(LANGUAGES),
          invitedBy: Type.String({
            description: 'Name of the staff member, or of the system user at the command line.',
          }),
        }),
      }),
    },
    refusals: ['LINK_GONE'],
    needs: null,
  },
  acceptInvitation: {
    section: 'Session',
    summary: 'Accept an invitation and sign in',
    body: Type.Object({ token: LinkToken, name: PersonName, password: NewPassword, language: OneOf(LANGUAGES) }),
    answers: { 201: ConsoleSession },
    refusals: ['LINK_GONE', 'EMAIL_TAKEN', 'PASSWORD_SIGN_IN_OFF'],
    needs: null,
  },
});
