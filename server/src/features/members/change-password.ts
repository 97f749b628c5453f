import type { Database, Tx } from '../../database/database.ts';
import type { SignedInMember } from '../../http/dashboard-door.ts';
import { hashPassword } from '../../password.ts';
import { recordAct } from './acts.ts';
import { askPassword } from './attempts.ts';
import { closeOtherSessions, renewSession } from './member-sessions.ts';

/** Who knew the old password is out everywhere; this session goes on under the token that is returned. */
export async function changePassword(
  db: Database,
  member: SignedInMember,
  { password, newPassword }: { password: string; newPassword: string },
  now: Date,
): Promise<string> {
  const { memberId, accountId, sessionId } = member;
  await askPassword(db, memberId, password, now);
  const passwordHash = await hashPassword(newPassword);
  return db.transaction().execute(async (tx) => {
    await savePassword(tx, memberId, passwordHash);
    await closeOtherSessions(tx, memberId, sessionId);
    await recordAct(tx, accountId, member, 'password-changed', null, now);
    return renewSession(tx, sessionId);
  });
}

/** Links that were sent to set another one are dead, and a lock is lifted. */
export async function savePassword(tx: Tx, memberId: string, passwordHash: string): Promise<void> {
  await tx
    .updateTable('members')
    .set({ password_hash: passwordHash, wrong_passwords: 0, locked_until: null })
    .where('id', '=', memberId)
    .execute();
  await tx.deleteFrom('member_password_resets').where('member_id', '=', memberId).execute();
}
