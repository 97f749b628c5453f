import Type, { type Static } from 'typebox';
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from '../limits.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { SCOPES } from '../scopes.ts';
import { defineEndpoints } from './endpoint.ts';

const KEY_STATES = ['active', 'expired', 'revoked'] as const;

const DashboardKey = Closed(
  {
    id: Id('Key id'),
    name: Nullable(Type.String()),
    hint: Type.String({ description: 'The last characters of the key, to tell keys apart.' }),
    scopes: Type.Array(OneOf(SCOPES)),
    state: OneOf(KEY_STATES),
    createdAt: Instant(),
    createdBy: Nullable(Type.String({ description: 'Name of the member; null when the operator made it.' })),
    expiresAt: Nullable(Instant()),
    lastUsedAt: Nullable(Instant({ description: 'Exact to a minute.' })),
    revokedAt: Nullable(Instant()),
    revokedBy: Nullable(Type.String({ description: 'Name of the member; null when the operator did it.' })),
  },
  { title: 'DashboardKey' },
);
export type DashboardKey = Static<typeof DashboardKey>;

const KeysAnswer = Closed({
  success: Success,
  keys: Type.Array(DashboardKey, { description: 'Active ones first, then the newest.' }),
  active: Type.Integer(),
  mostActive: Type.Integer({ examples: [MAX_ACTIVE_KEYS_PER_ACCOUNT] }),
});

const KeyRequest = Type.Object({
  name: Text({ maxLength: 100, examples: ['Boutique en ligne'] }),
  scopes: Type.Array(OneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length }),
  expiresAt: Type.Optional(Nullable(Instant({ description: 'Never when absent.' }))),
});

const NewKeyAnswer = Closed({
  success: Success,
  key: DashboardKey,
  secret: Type.String({ description: 'The key itself. Shown this once: it is stored hashed.' }),
});

const KeyAnswer = Closed({ success: Success, key: DashboardKey });
const KeyParams = Type.Object({ id: Type.String({ description: 'Key id' }) });

export const keyEndpoints = defineEndpoints({
  listKeys: {
    section: 'Keys',
    summary: 'The account’s API keys',
    answers: { 200: KeysAnswer },
    needs: 'develop',
  },
  createKey: {
    section: 'Keys',
    summary: 'Make an API key and show it, this once',
    body: KeyRequest,
    answers: { 201: NewKeyAnswer },
    refusals: ['TOO_MANY_KEYS', 'KEY_EXPIRY_PAST'],
    needs: 'develop',
  },
  revokeKey: {
    section: 'Keys',
    summary: 'Refuse a key everywhere within a second, for good',
    description: 'Revoking a key again changes nothing.',
    params: KeyParams,
    answers: { 200: KeyAnswer },
    findsOne: true,
    needs: 'develop',
  },
});
