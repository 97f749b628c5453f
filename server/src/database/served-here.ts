import { type RawBuilder, sql } from 'kysely';

/**
 * Whether this cell serves the account of a column. For statements over any accounts: rows of one that is arriving or has
 * left refuse changes, and an error would stop the work for all others (docs/decisions/account-move.md).
 */
export const servedHere = (accountId: string): RawBuilder<boolean> =>
  sql`exists (select from accounts here where here.id = ${sql.ref(accountId)} and here.moved_to is null)`;
