import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

const MOST_UNSTARTED = 10; // per account; each may take three times the 8 MiB of its file

/**
 * Deletes the oldest imports that were never started, so that repeated uploads do not fill the disk. One at a time, in id
 * order to avoid deadlocks.
 */
export async function deleteOldPreviews(db: Database, accountId: string): Promise<void> {
  const surplus = await db
    .selectFrom('imports')
    .select('id')
    .where('account_id', '=', accountId)
    .where('started_at', 'is', null)
    .where('erased_at', 'is', null)
    .orderBy('id', 'desc')
    .offset(MOST_UNSTARTED)
    .execute();
  for (const { id } of surplus.reverse()) {
    await sql`
      with deleted as (
        delete from imports where account_id = ${accountId} and id = ${id} and started_at is null returning id
      )
      delete from import_lines l using deleted where l.account_id = ${accountId} and l.import_id = deleted.id
    `.execute(db);
  }
}
