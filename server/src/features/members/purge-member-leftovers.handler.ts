import type { Database } from '../../database/database.ts';
import { seenSince } from './member-sessions.ts';

const KEEP_INVITATIONS_DAYS = 30; // after they ran out: an owner may still want to send one again

/** Sessions, links and invitations that open nothing any more. */
export async function purgeMemberLeftovers(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('member_sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', seenSince(now))]))
    .execute();
  await db.deleteFrom('member_password_resets').where('expires_at', '<=', now).execute();
  const longAgo = new Date(now.getTime() - KEEP_INVITATIONS_DAYS * 86_400_000);
  await db.deleteFrom('member_invitations').where('expires_at', '<=', longAgo).execute();
}
