import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { MEMBERS, STAFF } from '../../identity/people.ts';
import { purgeExpiredAccess } from '../../identity/purge-expired.ts';

const KEEP_INVITATIONS_DAYS = 30; // after expiry, so that an owner can resend one

/** Deletes expired sessions, links and invitations of members and of staff. Skips locked rows until the next day. */
export async function purgeMemberLeftovers(db: Database, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - KEEP_INVITATIONS_DAYS * 86_400_000);
  for (const people of [MEMBERS, STAFF]) await purgeExpiredAccess(db, people, now);
  await db.deleteFrom('merchant_views').where('expires_at', '<=', now).execute();
  for (const invitations of ['member_invitations', 'staff_invitations']) {
    await sql`
      delete from ${sql.table(invitations)} where id in (
        select id from ${sql.table(invitations)} where expires_at <= ${longAgo} for update skip locked)`.execute(db);
  }
}
