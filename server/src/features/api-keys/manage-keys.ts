import { randomUUIDv7 } from 'node:crypto';
import { MAX_ACTIVE_KEYS_PER_ACCOUNT, type Scope } from '@navette/contract';
import type { ExpressionBuilder } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { DB } from '../../database/tables.ts';
import { isUuid } from '../../uuid.ts';
import { type Actor, OPERATOR, recordAct } from '../members/index.ts';
import { hashApiKey, hintOf, newApiKey } from './api-key.ts';

const MOST_LISTED = 100; // far more than can be active; older ones that were revoked are of no use to anyone

/** Counts against the limit: neither revoked nor expired. */
const isActive = (eb: ExpressionBuilder<DB, 'api_keys'>, now: Date) =>
  eb.and([eb('revoked_at', 'is', null), eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])]);

export interface NewKey {
  name: string | null;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  /** The operator when absent. */
  by?: Actor;
}

type Created = { outcome: 'created'; id: string; key: string } | { outcome: 'no-account' } | { outcome: 'too-many' };

/** Creations of one account wait for each other, so that the eleventh key cannot slip in. */
export async function createKey(
  db: Database,
  accountId: string,
  { name, scopes, expiresAt, by = OPERATOR }: NewKey,
): Promise<Created> {
  return db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .where('closed_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!account) return { outcome: 'no-account' };
    if ((await countActive(tx, accountId)) >= MAX_ACTIVE_KEYS_PER_ACCOUNT) return { outcome: 'too-many' };
    const id = randomUUIDv7();
    const key = newApiKey();
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
        created_by: by.name,
      })
      .execute();
    await recordAct(tx, accountId, by, 'key-created', name ?? `…${hintOf(key)}`, new Date());
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

/** Keys that work first, then the newest of the others. */
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
    .select(['id', 'name', 'hint', 'scopes', 'expires_at as expiresAt', 'last_used_at as lastUsedAt'])
    .select([
      'revoked_at as revokedAt',
      'revoked_by as revokedBy',
      'created_at as createdAt',
      'created_by as createdBy',
    ])
    .where('account_id', '=', accountId);

/** What a person knows these keys by. */
export async function nameKeys(db: Database, accountId: string, keyIds: readonly string[]) {
  if (keyIds.length === 0) return new Map<string, Pick<KeyRecord, 'name' | 'hint'>>();
  const keys = await selectKeys(db, accountId).where('id', 'in', keyIds).execute();
  return new Map(keys.map(({ id, name, hint }) => [id, { name, hint }]));
}

/** Revoking again changes nothing: the first to do so stays written. */
export async function revokeKey(db: Database, accountId: string, keyId: string, by: Actor): Promise<void> {
  if (isUuid(keyId)) await revoke(db, keyId, by, accountId);
}

/** For the operator, who may revoke any account's key. False when there is none such, or no longer. */
export const revokeAnyKey = (db: Database, keyId: string): Promise<boolean> => revoke(db, keyId, OPERATOR);

async function revoke(db: Database, keyId: string, by: Actor, accountId?: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const now = new Date();
    let update = tx
      .updateTable('api_keys')
      .set({ revoked_at: now, revoked_by: by.name })
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .returning(['account_id', 'name', 'hint']);
    if (accountId !== undefined) update = update.where('account_id', '=', accountId);
    const revoked = await update.executeTakeFirst();
    if (revoked) await recordAct(tx, revoked.account_id, by, 'key-revoked', revoked.name ?? `…${revoked.hint}`, now);
    return revoked !== undefined;
  });
}
