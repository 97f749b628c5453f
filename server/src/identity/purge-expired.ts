import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { People } from './people.ts';
import { seenSince } from './sessions.ts';

/**
 * Deletes expired sessions and reset links. Skips locked rows until the next day: waiting for them in another lock order
 * could deadlock with a password change.
 */
export async function purgeExpiredAccess(
  db: Database,
  { sessions, passwordResets, isServed }: People,
  now: Date,
): Promise<void> {
  await sql`
    delete from ${sql.table(sessions)} where id in (
      select id from ${sql.table(sessions)} t
      where (expires_at <= ${now} or last_seen_at <= ${seenSince(now)}) and ${isServed}
      for update skip locked)`.execute(db);
  await sql`
    delete from ${sql.table(passwordResets)} where token_hash in (
      select token_hash from ${sql.table(passwordResets)} t where expires_at <= ${now} and ${isServed}
      for update skip locked)`.execute(db);
}
