import Type, { type Static } from 'typebox';
import { MAX_PASSKEYS } from '../limits.ts';
import { Closed, Id, Instant, Nullable, Success, Text } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { DoneAnswer, SessionAnswer } from './session.ts';

const Encoded = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', description: `${description} In base64url.` });

const CredentialId = Encoded(1_400, 'The id of the credential.');
const Transports = Type.Array(Type.String({ maxLength: 20, pattern: '^[a-z-]+$' }), {
  maxItems: 10,
  description: 'How the authenticator is reached, such as `internal` or `usb`.',
});

/** Proof of the person before a passkey is added or removed. */
const Proof = {
  password: Type.String({ minLength: 1, maxLength: 200, description: 'The member’s password.' }),
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'A code of the second factor, or a recovery code; required if the member has one.',
    }),
  ),
};

const Challenge = Type.String({ description: 'To be signed by the authenticator, once and within five minutes.' });

export const PasskeyProof = Type.Object({
  id: CredentialId,
  clientDataJSON: Encoded(4_000, 'What the browser signed.'),
  authenticatorData: Encoded(4_000, 'What the authenticator signed.'),
  signature: Encoded(2_000, 'The signature.'),
  userHandle: Encoded(100, 'The member’s handle, as the authenticator stored it.'),
});
export type PasskeyProof = Static<typeof PasskeyProof>;

export const NewPasskey = Type.Object({
  name: Text({ maxLength: 60, description: 'How the member recognises it.' }),
  clientDataJSON: Encoded(4_000, 'What the browser signed.'),
  attestationObject: Encoded(16_000, 'The new public key.'),
  transports: Transports,
});
export type NewPasskey = Static<typeof NewPasskey>;

const Passkey = Closed(
  {
    id: Id('The passkey.'),
    name: Type.String({ description: 'As the member named it.' }),
    createdAt: Instant(),
    lastUsedAt: Nullable(Instant({ description: 'Null: never used.' })),
  },
  { title: 'Passkey' },
);

export const passkeyEndpoints = defineEndpoints({
  startPasskeySignIn: {
    section: 'Session',
    summary: 'Get a challenge for signing in with a passkey',
    answers: {
      200: Closed({
        success: Success,
        challenge: Challenge,
        rpId: Type.String({ description: 'The domain to which passkeys belong.' }),
      }),
    },
    needs: null,
  },
  signInWithPasskey: {
    section: 'Session',
    summary: 'Sign in with a passkey',
    description:
      'Sets the session cookie. A passkey is unlocked on its device, so it replaces both the password and the second factor.',
    body: PasskeyProof,
    answers: { 201: SessionAnswer },
    refusals: ['PASSKEY_REFUSED'],
    needs: null,
  },
  listPasskeys: {
    section: 'Profile',
    summary: 'List the member’s passkeys',
    answers: { 200: Closed({ success: Success, passkeys: Type.Array(Passkey, { maxItems: MAX_PASSKEYS }) }) },
    needs: 'self',
  },
  startPasskey: {
    section: 'Profile',
    summary: 'Start to add a passkey',
    body: Type.Object(Proof),
    answers: {
      200: Closed({
        success: Success,
        challenge: Challenge,
        rp: Closed({
          id: Type.String({ description: 'The domain.' }),
          name: Type.String({ description: 'Shown by the device.' }),
        }),
        user: Closed({
          id: Type.String({ description: 'The member’s handle, in base64url.' }),
          name: Type.String({ description: 'The member’s e-mail address.' }),
          displayName: Type.String({ description: 'The member’s name.' }),
        }),
        exclude: Type.Array(Closed({ id: CredentialId, transports: Transports }), {
          description: 'Passkeys that the member already has.',
        }),
      }),
    },
    refusals: ['WRONG_PASSWORD', 'WRONG_CODE', 'SECOND_FACTOR_REQUIRED', 'PASSKEYS_FULL'],
    needs: 'self',
  },
  addPasskey: {
    section: 'Profile',
    summary: 'Add a passkey, within five minutes of the start',
    body: NewPasskey,
    answers: { 201: Closed({ success: Success, passkey: Passkey }) },
    refusals: ['PASSKEY_NOT_ADDED', 'PASSKEYS_FULL'],
    needs: 'self',
  },
  removePasskey: {
    section: 'Profile',
    summary: 'Remove a passkey',
    description: 'Sessions that were opened with it stay open; end them in the list of sessions.',
    params: Type.Object({ id: Id('The passkey.') }),
    body: Type.Object(Proof),
    answers: { 200: DoneAnswer },
    refusals: ['WRONG_PASSWORD', 'WRONG_CODE', 'SECOND_FACTOR_REQUIRED'],
    needs: 'self',
    findsOne: true,
  },
});
