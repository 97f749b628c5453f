import Type, { type Static } from 'typebox';
import { KEY_RESOURCES, MAX_KEY_NETWORKS } from '../key-resources.ts';
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from '../limits.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { SCOPES } from '../scopes.ts';
import { defineEndpoints } from './endpoint.ts';

const KEY_STATES = ['active', 'expired', 'revoked'] as const;

const KeyMaker = Closed(
  {
    email: Nullable(Type.String({ description: 'Null for keys created by early versions.' })),
    name: Type.String({ description: 'The member’s name at that time.' }),
    hasLeft: Type.Boolean({ description: 'The member has been removed since, and may still have the key.' }),
  },
  { title: 'KeyMaker' },
);

const DashboardKey = Closed(
  {
    id: Id('Key id'),
    name: Nullable(Type.String()),
    hint: Type.String({ description: 'The last characters of the key, to identify it.' }),
    scopes: Type.Array(OneOf(SCOPES)),
    networks: Nullable(
      Type.Array(Type.String({ description: 'A network in CIDR form.' }), {
        description: 'The key works from these addresses only; null: from everywhere.',
      }),
    ),
    resources: Nullable(
      Type.Array(OneOf(KEY_RESOURCES), { description: 'The key may call these parts of the API only; null: all.' }),
    ),
    state: OneOf(KEY_STATES),
    createdAt: Instant(),
    createdBy: Nullable(KeyMaker),
    expiresAt: Nullable(Instant()),
    lastUsedAt: Nullable(Instant({ description: 'Accurate to a minute.' })),
    revokedAt: Nullable(Instant()),
    revokedBy: Nullable(
      Type.String({ description: 'E-mail address of the member; null when the operator revoked it.' }),
    ),
  },
  { title: 'DashboardKey' },
);
export type DashboardKey = Static<typeof DashboardKey>;

const KeysAnswer = Closed({
  success: Success,
  keys: Type.Array(DashboardKey, { description: 'Active keys first, then newest first.' }),
  active: Type.Integer(),
  mostActive: Type.Integer({ examples: [MAX_ACTIVE_KEYS_PER_ACCOUNT] }),
});

const narrowing = {
  networks: Type.Optional(
    Nullable(
      Type.Array(Type.String({ maxLength: 50, examples: ['203.0.113.0/24'] }), {
        maxItems: MAX_KEY_NETWORKS,
        description: 'Addresses or networks in CIDR form that the key works from. Null or empty: from everywhere.',
      }),
    ),
  ),
  resources: Type.Optional(
    Nullable(
      Type.Array(OneOf(KEY_RESOURCES), {
        maxItems: KEY_RESOURCES.length,
        description: 'Parts of the API that the key may call, within its scopes. Null or empty: all.',
      }),
    ),
  ),
};

const KeyRequest = Type.Object({
  name: Text({ maxLength: 100, examples: ['Boutique en ligne'] }),
  scopes: Type.Array(OneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length }),
  expiresAt: Type.Optional(Nullable(Instant({ description: 'The key never expires when absent.' }))),
  ...narrowing,
});

const NewKeyAnswer = Closed({
  success: Success,
  key: DashboardKey,
  secret: Type.String({ description: 'The key itself. Returned only once: only its hash is stored.' }),
});

const KeyAnswer = Closed({ success: Success, key: DashboardKey });
const KeyParams = Type.Object({ id: Type.String({ description: 'Key id' }) });

export const keyEndpoints = defineEndpoints({
  listKeys: {
    section: 'Keys',
    summary: 'List the account’s API keys',
    answers: { 200: KeysAnswer },
    needs: 'develop',
  },
  createKey: {
    section: 'Keys',
    summary: 'Create an API key and return it, only once',
    body: KeyRequest,
    answers: { 201: NewKeyAnswer },
    refusals: ['TOO_MANY_KEYS', 'KEY_EXPIRY_PAST', 'KEY_NETWORK_INVALID'],
    needs: 'develop',
  },
  narrowKey: {
    section: 'Keys',
    summary: 'Change the networks and resources of a key; all processes apply it within a second',
    description:
      'Both restrictions are replaced. A request outside of them is refused with `INSUFFICIENT_PERMISSIONS`.',
    params: KeyParams,
    body: Type.Object(narrowing),
    answers: { 200: KeyAnswer },
    refusals: ['KEY_NETWORK_INVALID'],
    findsOne: true,
    needs: 'develop',
  },
  revokeKey: {
    section: 'Keys',
    summary: 'Revoke a key; all processes refuse it within a second',
    description: 'Revoking a key again changes nothing.',
    params: KeyParams,
    answers: { 200: KeyAnswer },
    findsOne: true,
    needs: 'develop',
  },
});
