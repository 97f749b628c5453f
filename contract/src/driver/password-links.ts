import Type from 'typebox';
import { Closed, Email, OneOf, Success } from '../schema-kit.ts';

/** `invitation`: the driver's first password. `reset`: another one, which ends all other sessions. */
export const PASSWORD_LINK_PURPOSES = ['invitation', 'reset'] as const;
export type PasswordLinkPurpose = (typeof PASSWORD_LINK_PURPOSES)[number];

const token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The part of the link after `#`.',
});

export const PasswordLinkRequest = Type.Object({ email: Email() });
export const ReadPasswordLinkRequest = Type.Object({ token });
export const UsePasswordLinkRequest = Type.Object({
  token,
  password: Type.String({ minLength: 1, maxLength: 200, description: 'At least 10 characters, and not guessable.' }),
});
export const PasswordLinkAnswer = Closed({
  success: Success,
  firstName: Type.String(),
  purpose: OneOf(PASSWORD_LINK_PURPOSES),
});
