import { MAX_TEAM_SIZE, type Role } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { refuseAsNotFound, refuseDashboard } from '../../http/dashboard-refusal.ts';
import { isUuid } from '../../uuid.ts';
import { type Actor, recordAct } from './acts.ts';
import { seenSince } from './member-sessions.ts';

export function listMembers(db: Database, accountId: string, now: Date) {
  return db
    .selectFrom('members as m')
    .select(['m.id', 'm.name', 'm.email', 'm.role', 'm.second_factor_since as secondFactorSince'])
    .select('m.created_at as createdAt')
    .select((eb) =>
      eb
        .selectFrom('member_sessions as s')
        .select(({ fn }) => fn.max('s.last_seen_at').as('at'))
        .whereRef('s.member_id', '=', 'm.id')
        .where('s.last_seen_at', '>', seenSince(now))
        .as('lastSeenAt'),
    )
    .where('m.account_id', '=', accountId)
    .orderBy('m.id')
    .limit(MAX_TEAM_SIZE)
    .execute();
}

/** Counts from the member's next request on: sessions read the role each time. */
export async function changeRole(
  db: Database,
  accountId: string,
  actor: Actor,
  { memberId, role }: { memberId: string; role: Role },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const member = await lockMember(tx, accountId, memberId, role !== 'owner');
    await tx
      .updateTable('members')
      .set({ role })
      .where('account_id', '=', accountId)
      .where('id', '=', memberId)
      .execute();
    if (member.role !== role) await recordAct(tx, accountId, actor, 'role-changed', `${member.email}: ${role}`, now);
  });
}

/** Sessions, codes and links go with the row. */
export async function removeMember(
  db: Database,
  accountId: string,
  actor: Actor,
  memberId: string,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { email } = await lockMember(tx, accountId, memberId, true);
    await tx.deleteFrom('members').where('account_id', '=', accountId).where('id', '=', memberId).execute();
    await recordAct(tx, accountId, actor, 'member-removed', email, now);
  });
}

/** Locks the account's owners first, always in the same order: two owners who demote each other wait for one another. */
async function lockMember(tx: Tx, accountId: string, memberId: string, losesOwner: boolean) {
  if (!isUuid(memberId)) return refuseAsNotFound();
  const owners = await tx
    .selectFrom('members')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .orderBy('id')
    .forUpdate()
    .execute();
  const member = await tx
    .selectFrom('members')
    .select(['email', 'role'])
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .forUpdate()
    .executeTakeFirst();
  if (!member) return refuseAsNotFound();
  if (losesOwner && owners.length === 1 && owners[0]?.id === memberId) return refuseDashboard('LAST_OWNER');
  return member;
}
