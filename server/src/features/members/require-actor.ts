import { type Need, ROLE_ALLOWS, type Role } from '@navette/contract';
import type { Tx } from '../../database/database.ts';
import type { SignedInMember } from '../../http/member-authentication.ts';
import { MEMBERS } from '../../identity/people.ts';
import { lockOpenSession } from '../../identity/sessions.ts';
import { refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { type Actor, type MemberActor, OPERATOR } from './security-log.ts';

/** Checks inside the transaction that the caller still has permission, and returns the actor for the security log. */
export type Authorize = (tx: Tx) => Promise<Actor>;

export const authorizeMember =
  (member: SignedInMember, need: Need, now: Date): Authorize =>
  (tx) =>
    requireActor(tx, member, need, now);

/** Access to the command line grants every permission. */
export const authorizeOperator: Authorize = async () => OPERATOR;

/**
 * Locks and re-reads the member and the session of a request. A concurrent removal, role change or sign-out either waits
 * for this transaction, or has committed and is visible here.
 *
 * Lock order, which avoids deadlocks: accounts, members (by id), member_sessions, api_keys, then the rows that the act
 * changes. A transaction may skip steps, but never goes back. Accounts are locked FOR NO KEY UPDATE, so that
 * inserts that reference an account may come last.
 */
export async function requireActor(
  tx: Tx,
  { memberId, ownAccountId, sessionId }: Pick<SignedInMember, 'memberId' | 'ownAccountId' | 'sessionId'>,
  need: Need | 'self',
  now: Date,
): Promise<MemberActor> {
  const member = await tx
    .selectFrom('members')
    .select(['email', 'name', 'role'])
    .where('id', '=', memberId)
    .where('account_id', '=', ownAccountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!member) return refuseDashboard('NOT_SIGNED_IN');
  if (!(await lockOpenSession(tx, MEMBERS, { personId: memberId, sessionId }, now)))
    return refuseDashboard('NOT_SIGNED_IN');
  const { email, name, role } = member;
  if (need !== 'self' && !ROLE_ALLOWS[role as Role].includes(need))
    refuseDashboard('ROLE_NOT_ALLOWED', { needs: need });
  return { kind: 'member', id: memberId, email, name };
}
