import type { Database } from '../../database/database.ts';

/** The account's active API keys, with the member who created each. */
export const findActiveKeys = (db: Database, accountId: string, now: Date) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'hint', 'created_by_email as createdBy', 'expires_at as expiresAt'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('id');
