import Type, { type TSchema } from 'typebox';
import { RECOVERY_CODES } from '../limits.ts';
import { Closed, OneOf, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { LANGUAGES } from './roles.ts';
import { DoneAnswer, NewPassword, PersonName, SessionAnswer } from './session.ts';

const Password = Type.String({ minLength: 1, maxLength: 200 });
const Code = Type.String({ minLength: 1, maxLength: 40 });

const SetUpAnswer = Closed({
  success: Success,
  secret: Type.String({ description: 'For people who cannot scan the code.', examples: ['JBSWY3DPEHPK3PXP'] }),
  uri: Type.String({ description: 'The content of the QR code.' }),
  qr: Closed({
    size: Type.Integer({ description: 'Size of the image in modules, including the quiet zone.' }),
    path: Type.String({ description: 'The dark modules, as the `d` attribute of an SVG path.' }),
  }),
});

const RecoveryCodesAnswer = Closed({
  success: Success,
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Returned only once. Each can be used once instead of a code.',
    minItems: RECOVERY_CODES,
    maxItems: RECOVERY_CODES,
  }),
});

/** The own profile of a member or of staff; `session`: what the API answers to a change of it. */
export const profileEndpointsWith = <const S extends TSchema>(session: S) =>
  ({
    updateProfile: {
      section: 'Profile',
      summary: 'Change the person’s name and language',
      body: Type.Object({ name: PersonName, language: OneOf(LANGUAGES) }),
      answers: { 200: session },
      needs: 'self',
    },
    changePassword: {
      section: 'Profile',
      summary: 'Change the person’s password',
      description: 'Ends the person’s other sessions, and issues a new cookie and `csrfToken` for this one.',
      body: Type.Object({ password: Password, newPassword: NewPassword }),
      answers: { 200: DoneAnswer },
      refusals: ['WRONG_PASSWORD'],
      needs: 'self',
    },
    startSecondFactor: {
      section: 'Profile',
      summary: 'Start to set up a second factor',
      description: 'Sign-in does not ask for a code until `confirmSecondFactor` has succeeded.',
      body: Type.Object({ password: Password }),
      answers: { 200: SetUpAnswer },
      refusals: ['WRONG_PASSWORD', 'SECOND_FACTOR_ON'],
      needs: 'self',
    },
    confirmSecondFactor: {
      section: 'Profile',
      summary: 'Enable the second factor with a code',
      description: 'Ends the person’s other sessions, and issues a new cookie and `csrfToken` for this one.',
      body: Type.Object({ code: Code }),
      answers: { 200: RecoveryCodesAnswer },
      refusals: ['WRONG_CODE', 'SECOND_FACTOR_ON', 'SECOND_FACTOR_OFF'],
      needs: 'self',
    },
    removeSecondFactor: {
      section: 'Profile',
      summary: 'Disable the second factor',
      body: Type.Object({ password: Password, code: Code }),
      answers: { 200: DoneAnswer },
      refusals: ['WRONG_PASSWORD', 'WRONG_CODE', 'SECOND_FACTOR_OFF'],
      needs: 'self',
    },
    renewRecoveryCodes: {
      section: 'Profile',
      summary: 'Replace the recovery codes',
      body: Type.Object({ password: Password, code: Code }),
      answers: { 200: RecoveryCodesAnswer },
      refusals: ['WRONG_PASSWORD', 'WRONG_CODE', 'SECOND_FACTOR_OFF'],
      needs: 'self',
    },
  }) as const;

export const profileEndpoints = defineEndpoints(profileEndpointsWith(SessionAnswer));
