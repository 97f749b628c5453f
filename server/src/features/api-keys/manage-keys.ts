import { randomUUIDv7 } from 'node:crypto';
import { type KeyNarrowing, MAX_ACTIVE_KEYS_PER_ACCOUNT, type Scope } from '@navette/contract';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { DB } from '../../database/tables.ts';
import { isUuid } from '../../database/uuid.ts';
import { type Authorize, authorizeOperator, recordAct } from '../members/index.ts';
import { hashApiKey, hintOf, LIVE_PREFIX, newApiKey } from './api-key.ts';
import { isWidened } from './narrowing.ts';

const MOST_LISTED = 100; // far above the limit of active keys; older revoked ones are not listed

/** Neither revoked nor expired: counts towards the limit. */
const isActive = (eb: ExpressionBuilder<DB, 'api_keys'>, now: Date) =>
  eb.and([eb('revoked_at', 'is', null), eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])]);

export interface NewKey {
  name: string | null;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  /** In normal form; none when absent. */
  narrowing?: KeyNarrowing;
  /** Checks the permission inside the transaction; the operator when absent. */
  authorize?: Authorize;
  /** Called in the transaction of the creation. */
  onCreated?: (tx: Tx, keyId: string) => Promise<void>;
}

type Created = { outcome: 'created'; id: string; key: string } | { outcome: 'no-account' } | { outcome: 'too-many' };

/** Serialises the creations of one account, so that the limit of active keys holds. */
export async function createKey(
  db: Database,
  accountId: string,
  { name, scopes, expiresAt, narrowing, authorize = authorizeOperator, onCreated }: NewKey,
): Promise<Created> {
  return db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('accounts')
      .select('live_account_id')
      .where('id', '=', accountId)
      .where('closed_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    const by = await authorize(tx);
    if (!account) return { outcome: 'no-account' };
    if ((await countActive(tx, accountId)) >= MAX_ACTIVE_KEYS_PER_ACCOUNT) return { outcome: 'too-many' };
    const id = randomUUIDv7();
    const key = newApiKey(account.live_account_id !== null);
    await tx
      .insertInto('api_keys')
      .values({
        id,
        account_id: accountId,
        name,
        key_hash: Buffer.from(hashApiKey(key), 'hex'),
        hint: hintOf(key),
        scopes: [...new Set(scopes)],
        expires_at: expiresAt,
        ...narrowing,
        ...(by.kind === 'member' ? { created_by: by.name, created_by_id: by.id, created_by_email: by.email } : {}),
      })
      .execute();
    const subject = nameOf({ name, hint: hintOf(key) });
    await recordAct(tx, accountId, by, { act: 'key-created', subject, subjectId: id }, new Date());
    await onCreated?.(tx, id);
    return { outcome: 'created', id, key };
  });
}

async function countActive(tx: Tx, accountId: string): Promise<number> {
  const { active } = await tx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('active'))
    .where('account_id', '=', accountId)
    .where((eb) => isActive(eb, new Date()))
    .executeTakeFirstOrThrow();
  return active;
}

/** Active keys first, then the newest of the others. */
export async function listKeys(db: Database, accountId: string, now = new Date()) {
  return selectKeys(db, accountId)
    .orderBy((eb) => isActive(eb, now), 'desc')
    .orderBy('created_at', 'desc')
    .limit(MOST_LISTED)
    .execute();
}

export type KeyRecord = Awaited<ReturnType<typeof listKeys>>[number];

export async function findKey(db: Database, accountId: string, keyId: string): Promise<KeyRecord | undefined> {
  if (!isUuid(keyId)) return undefined;
  return selectKeys(db, accountId).where('id', '=', keyId).executeTakeFirst();
}

const selectKeys = (db: Database, accountId: string) =>
  db
    .selectFrom('api_keys')
    .select([
      'id',
      'name',
      'hint',
      'scopes',
      'networks',
      'resources',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
    ])
    .select(['revoked_at as revokedAt', 'created_at as createdAt', 'created_by as createdBy'])
    .select(['created_by_email as createdByEmail'])
    .select((eb) => eb.fn.coalesce('revoked_by_email', 'revoked_by').as('revokedBy'))
    .select(
      sql<boolean>`created_by_id is not null and not exists (select from members m where m.id = created_by_id)`.as(
        'makerHasLeft',
      ),
    )
    .where('account_id', '=', accountId);

const MOST_FOUND = 5; // keys with one ending, of a million possible ones

/** Keys of any live account: one by its whole text, or those that end with these four characters. */
export async function findAnyKeys(db: Database, text: string) {
  const ending = /^(?:…|\.\.\.)?([\w-]{4})$/.exec(text)?.[1];
  if (ending === undefined && !text.startsWith(LIVE_PREFIX)) return [];
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['accounts.id as accountId', 'accounts.name as account'])
    .select(['api_keys.name', 'api_keys.hint', 'api_keys.revoked_at as revokedAt'])
    .where('accounts.live_account_id', 'is', null)
    .where((eb) =>
      ending === undefined
        ? eb('key_hash', '=', Buffer.from(hashApiKey(text), 'hex'))
        : eb('api_keys.hint', '=', ending),
    )
    .orderBy('api_keys.created_at', 'desc')
    .limit(MOST_FOUND)
    .execute();
}

/** The hint distinguishes keys of the same name. */
const nameOf = ({ name, hint }: { name: string | null; hint: string }) => (name ? `${name} (…${hint})` : `…${hint}`);

/** Name and hint by key id. */
export async function nameKeys(db: Database, accountId: string, keyIds: readonly string[]) {
  if (keyIds.length === 0) return new Map<string, Pick<KeyRecord, 'name' | 'hint'>>();
  const keys = await selectKeys(db, accountId).where('id', 'in', keyIds).execute();
  return new Map(keys.map(({ id, name, hint }) => [id, { name, hint }]));
}

interface NarrowingContext {
  authorize: Authorize;
  accountId?: string;
  /** Called in the transaction of a change that lets the key do more than before. */
  onWidened?: (tx: Tx) => Promise<void>;
}

/** Replaces the restrictions of a key that was not revoked. Without an account, of any: for the operator. */
export async function narrowKey(
  db: Database,
  keyId: string,
  narrowing: KeyNarrowing,
  { authorize, accountId, onWidened }: NarrowingContext,
): Promise<boolean> {
  if (!isUuid(keyId)) return false;
  return db.transaction().execute(async (tx) => {
    const by = await authorize(tx);
    let select = tx
      .selectFrom('api_keys')
      .select(['account_id', 'name', 'hint', 'networks', 'resources'])
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .forUpdate();
    if (accountId !== undefined) select = select.where('account_id', '=', accountId);
    const key = await select.executeTakeFirst();
    if (!key) return false;
    await tx.updateTable('api_keys').set(narrowing).where('id', '=', keyId).execute();
    const act = { act: 'key-narrowed', subject: nameOf(key), subjectId: keyId } as const;
    await recordAct(tx, key.account_id, by, act, new Date());
    if (isWidened(key as KeyNarrowing, narrowing)) await onWidened?.(tx);
    return true;
  });
}

/** Idempotent: the first revocation stays recorded. */
export async function revokeKey(db: Database, accountId: string, keyId: string, authorize: Authorize): Promise<void> {
  if (isUuid(keyId)) await revoke(db, keyId, authorize, accountId);
}

/** For the operator: revokes a key of any account. Returns false if there is no such active key. */
export const revokeAnyKey = (db: Database, keyId: string): Promise<boolean> => revoke(db, keyId, authorizeOperator);

async function revoke(db: Database, keyId: string, authorize: Authorize, accountId?: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const now = new Date();
    const by = await authorize(tx);
    let update = tx
      .updateTable('api_keys')
      .set({
        revoked_at: now,
        ...(by.kind === 'member' ? { revoked_by: by.name, revoked_by_email: by.email } : {}),
      })
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .returning(['account_id', 'name', 'hint']);
    if (accountId !== undefined) update = update.where('account_id', '=', accountId);
    const revoked = await update.executeTakeFirst();
    if (!revoked) return false;
    await recordAct(
      tx,
      revoked.account_id,
      by,
      { act: 'key-revoked', subject: nameOf(revoked), subjectId: keyId },
      now,
    );
    return true;
  });
}
