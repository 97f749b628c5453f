import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import { MEMBERS, STAFF } from '../../identity/people.ts';
import { purgeExpiredAccess } from '../../identity/purge-expired.ts';

const KEEP_NOTIFICATIONS_DAYS = 60;
const NOTIFICATIONS_AT_ONCE = 5_000;
const KEEP_INVITATIONS_DAYS = 30; // after expiry, so that an owner can resend one

/** Deletes expired sessions, links and invitations of members and of staff, and old notifications. Skips locked rows until the next day. */
export async function purgeMemberLeftovers(db: Database, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - KEEP_INVITATIONS_DAYS * 86_400_000);
  for (const people of [MEMBERS, STAFF]) await purgeExpiredAccess(db, people, now);
  await db.deleteFrom('merchant_views').where('expires_at', '<=', now).execute();
  for (const invitations of ['member_invitations', 'staff_invitations']) {
    const isHere = invitations === 'member_invitations' ? servedHere('i.account_id') : sql`true`;
    await sql`
      delete from ${sql.table(invitations)} where id in (
        select id from ${sql.table(invitations)} i where expires_at <= ${longAgo} and ${isHere}
        for update skip locked)`.execute(db);
  }
  await purgeNotifications(db, new Date(now.getTime() - KEEP_NOTIFICATIONS_DAYS * 86_400_000));
}

async function purgeNotifications(db: Database, before: Date): Promise<void> {
  for (let deleted = NOTIFICATIONS_AT_ONCE; deleted === NOTIFICATIONS_AT_ONCE; ) {
    const { numAffectedRows } = await sql`
      delete from notifications where (account_id, member_id, id) in (
        select account_id, member_id, id from notifications n where created_at < ${before}
          and ${servedHere('n.account_id')}
        limit ${NOTIFICATIONS_AT_ONCE} for update skip locked)`.execute(db);
    deleted = Number(numAffectedRows);
  }
}
