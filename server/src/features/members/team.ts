import { MAX_TEAM_SIZE, type Role } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { SignedInMember } from '../../http/member-authentication.ts';
import { seenSince } from '../../identity/sessions.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseAsNotFound, refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { findActiveKeys } from './active-keys.ts';
import { withdrawInvitationsBy } from './invitations.ts';
import { notifyMembers } from './notify-members.ts';
import { requireActor } from './require-actor.ts';
import { type Actor, OPERATOR, recordAct } from './security-log.ts';

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

interface TeamChange {
  accountId: string;
  /** Null for the operator. */
  by: SignedInMember | null;
  memberId: string;
}

/** Takes effect at the member's next request: every request reads the role. */
export async function changeRole(
  db: Database,
  { accountId, by, memberId }: TeamChange,
  role: Role,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { actor, email, role: oldRole } = await lockTeam(tx, { accountId, by, memberId }, role !== 'owner', now);
    await tx
      .updateTable('members')
      .set({ role })
      .where('account_id', '=', accountId)
      .where('id', '=', memberId)
      .execute();
    if (oldRole === role) return;
    await recordAct(
      tx,
      accountId,
      actor,
      { act: 'role-changed', subject: `${email} · ${role}`, subjectId: memberId },
      now,
    );
  });
}

/**
 * Deletes the member with sessions, codes and links, and withdraws their invitations. Keys that they created stay, since
 * the account's software uses them. Owners are notified, as the former member may know these keys.
 */
export async function removeMember(
  { db, jobs }: { db: Database; jobs: JobSender },
  { accountId, by, memberId }: TeamChange,
  now: Date,
) {
  return db.transaction().execute(async (tx) => {
    const { actor, email } = await lockTeam(tx, { accountId, by, memberId }, true, now);
    const withdrawnInvitations = await withdrawInvitationsBy(tx, accountId, actor, memberId, now);
    const activeKeys = await findActiveKeys(tx, accountId, now).where('created_by_id', '=', memberId).execute();
    await tx.deleteFrom('members').where('account_id', '=', accountId).where('id', '=', memberId).execute();
    await recordAct(tx, accountId, actor, { act: 'member-removed', subject: email, subjectId: memberId }, now);
    if (activeKeys.length > 0) {
      const keys = activeKeys.map(({ name, hint }) => (name ? `${name} (…${hint})` : `…${hint}`)).join(', ');
      await recordAct(
        tx,
        accountId,
        actor,
        { act: 'keys-left', subject: `${email} · ${keys}`, subjectId: memberId },
        now,
      );
      await notifyMembers(tx, jobs, { accountId, roles: ['owner'] }, { kind: 'keys-left', about: memberId });
    }
    return { activeKeys, withdrawnInvitations };
  });
}

/**
 * Locks the account's owners, the member and the actor in id order. This serialises two owners who demote each other, so
 * that the account keeps one.
 */
async function lockTeam(tx: Tx, { accountId, by, memberId }: TeamChange, losesOwner: boolean, now: Date) {
  if (!isUuid(memberId)) return refuseAsNotFound();
  const locked = await tx
    .selectFrom('members')
    .select(['id', 'email', 'role'])
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('role', '=', 'owner'), eb('id', 'in', by ? [memberId, by.memberId] : [memberId])]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const actor: Actor = by ? await requireActor(tx, by, 'own', now) : OPERATOR;
  const member = locked.find(({ id }) => id === memberId.toLowerCase()) ?? refuseAsNotFound();
  const isLastOwner = !locked.some(({ id, role }) => role === 'owner' && id !== member.id);
  if (losesOwner && isLastOwner) return refuseDashboard('LAST_OWNER');
  return { actor, ...member };
}
