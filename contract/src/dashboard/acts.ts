import Type, { type Static } from 'typebox';
import { Closed, Id, Instant, Nullable, OneOf } from '../schema-kit.ts';

/** The actions that the security log records. */
const ACTS = [
  'signed-in',
  'signed-in-with-passkey',
  'signed-out-everywhere',
  'test-mode-created',
  'sign-in-failed',
  'code-failed',
  'confirmation-failed',
  'many-failures',
  'password-locked',
  'codes-locked',
  'password-changed',
  'password-reset',
  'reset-link-made',
  'second-factor-on',
  'second-factor-off',
  'recovery-codes-renewed',
  'recovery-code-used',
  'passkey-added',
  'passkey-removed',
  'name-changed',
  'member-invited',
  'invitation-resent',
  'invitation-accepted',
  'invitation-withdrawn',
  'role-changed',
  'member-removed',
  'keys-left',
  'key-created',
  'key-narrowed',
  'key-revoked',
  'webhook-created',
  'webhook-changed',
  'webhook-deleted',
  'webhook-tested',
  'webhook-secret-read',
  'webhook-secret-rotated',
  'webhook-secret-switched',
  'webhook-rotation-cancelled',
  'webhook-resent',
  'pickup-address-changed',
  'shop-page-changed',
  'message-settings-changed',
  'message-resent',
  'billing-details-changed',
  'top-up-started',
  'automatic-top-up-changed',
  'automatic-top-up-stopped',
  'shipments-exported',
  'dashboard-viewed',
] as const;
export type ActName = (typeof ACTS)[number];

const ACTOR_KINDS = ['member', 'key', 'operator', 'unknown'] as const;

const ActActor = Closed(
  {
    kind: OneOf(ACTOR_KINDS, { description: '`unknown`: nobody was signed in, for example when a sign-in failed.' }),
    id: Nullable(Id('The member or the API key.')),
    email: Nullable(
      Type.String({ description: 'The member’s address at that time; null in entries of early versions.' }),
    ),
    name: Nullable(
      Type.String({
        description:
          'The name of the member or the key at that time, as they chose it; of the operator’s staff member, where known.',
      }),
    ),
    hint: Nullable(Type.String({ description: 'The last characters of the API key.' })),
  },
  { title: 'ActActor' },
);

export const Act = Closed(
  {
    id: Id('The act.'),
    at: Instant(),
    actor: ActActor,
    act: OneOf(ACTS),
    subject: Nullable(Type.String({ description: 'The target of the action.' })),
  },
  { title: 'Act' },
);
export type Act = Static<typeof Act>;
