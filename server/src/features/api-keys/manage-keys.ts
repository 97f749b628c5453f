import { randomUUIDv7 } from 'node:crypto';
import { MAX_ACTIVE_KEYS_PER_ACCOUNT, type Scope } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { hashApiKey, hintOf, newApiKey } from './api-key.ts';

export interface NewKey {
  name: string | null;
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

type Created = { outcome: 'created'; id: string; key: string } | { outcome: 'no-account' } | { outcome: 'too-many' };

/** Creations of one account wait for each other, so that the eleventh key cannot slip in. */
export async function createKey(
  db: Database,
  accountId: string,
  { name, scopes, expiresAt }: NewKey,
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
        scopes: [...scopes],
        expires_at: expiresAt,
      })
      .execute();
    return { outcome: 'created', id, key };
  });
}

async function countActive(tx: Tx, accountId: string): Promise<number> {
  const { active } = await tx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('active'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date())]))
    .executeTakeFirstOrThrow();
  return active;
}

export async function listKeys(db: Database, accountId: string) {
  return db
    .selectFrom('api_keys')
    .select([
      'id',
      'name',
      'hint',
      'scopes',
      'expires_at as expiresAt',
      'revoked_at as revokedAt',
      'created_at as createdAt',
    ])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();
}

/** For the operator, who may revoke any account's key. False when there is none such, or no longer. */
export async function revokeAnyKey(db: Database, keyId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
