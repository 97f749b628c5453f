import Type from 'typebox';
import { RECOVERY_CODES } from '../limits.ts';
import { Closed, OneOf, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { LANGUAGES } from './roles.ts';
import { DoneAnswer, NewPassword, PersonName, SessionAnswer } from './session.ts';

const Password = Type.String({ minLength: 1, maxLength: 200 });
const Code = Type.String({ minLength: 1, maxLength: 40 });

const SetUpAnswer = Closed({
  success: Success,
  secret: Type.String({ description: 'For who cannot scan the code.', examples: ['JBSWY3DPEHPK3PXP'] }),
  uri: Type.String({ description: 'What the QR code says.' }),
  qr: Closed({
    size: Type.Integer({ description: 'Side of the picture in modules, its quiet margin included.' }),
    path: Type.String({ description: 'The dark modules, as the `d` of an SVG path.' }),
  }),
});

const RecoveryCodesAnswer = Closed({
  success: Success,
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Shown this once. Each opens the door once in place of a code.',
    minItems: RECOVERY_CODES,
    maxItems: RECOVERY_CODES,
  }),
});

export const profileEndpoints = defineEndpoints({
  updateProfile: {
    section: 'Profile',
    summary: 'Change the member’s name and language',
    body: Type.Object({ name: PersonName, language: OneOf(LANGUAGES) }),
    answers: { 200: SessionAnswer },
    needs: 'self',
  },
  changePassword: {
    section: 'Profile',
    summary: 'Change the member’s password',
    description: 'Ends the member’s other sessions, and gives this one a new cookie and `csrfToken`.',
    body: Type.Object({ password: Password, newPassword: NewPassword }),
    answers: { 200: DoneAnswer },
    refusals: ['WRONG_PASSWORD'],
    needs: 'self',
  },
  startSecondFactor: {
    section: 'Profile',
    summary: 'Begin to set a second factor up',
    description: 'Nothing is asked of the member at sign-in until a code has confirmed it.',
    body: Type.Object({ password: Password }),
    answers: { 200: SetUpAnswer },
    refusals: ['WRONG_PASSWORD', 'SECOND_FACTOR_ON'],
    needs: 'self',
  },
  confirmSecondFactor: {
    section: 'Profile',
    summary: 'Switch the second factor on with a code of it',
    description: 'Ends the member’s other sessions, and gives this one a new cookie and `csrfToken`.',
    body: Type.Object({ code: Code }),
    answers: { 200: RecoveryCodesAnswer },
    refusals: ['WRONG_CODE', 'SECOND_FACTOR_ON', 'SECOND_FACTOR_OFF'],
    needs: 'self',
  },
  removeSecondFactor: {
    section: 'Profile',
    summary: 'Switch the second factor off',
    body: Type.Object({ password: Password, code: Code }),
    answers: { 200: DoneAnswer },
    refusals: ['WRONG_PASSWORD', 'WRONG_CODE', 'SECOND_FACTOR_OFF'],
    needs: 'self',
  },
  renewRecoveryCodes: {
    section: 'Profile',
    summary: 'New recovery codes in place of the old ones',
    body: Type.Object({ password: Password, code: Code }),
    answers: { 200: RecoveryCodesAnswer },
    refusals: ['WRONG_PASSWORD', 'WRONG_CODE', 'SECOND_FACTOR_OFF'],
    needs: 'self',
  },
});
