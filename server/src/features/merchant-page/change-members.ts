import type { ConsolePart } from '@navette/contract';
import { isUuid } from '../../database/uuid.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { revokeAnyKey } from '../api-keys/index.ts';
import { inviteByMail, removeAsOperator, resetSecondFactor } from '../members/index.ts';
import { actAsStaff } from '../staff/index.ts';
import { actOf, type ChangeContext, knownAccount } from './change-merchant.ts';

/** Invites a person to the dashboard; the worker mails the link. */
export async function inviteMerchantMember(
  { db, jobs, staff, now }: ChangeContext,
  accountId: string,
  request: ConsolePart<'inviteMerchantMember', 'body'>,
): Promise<void> {
  const account = await knownAccount(db, accountId);
  const recorded = actAsStaff<boolean>(db, {
    ...{ staff, needs: 'support', now },
    describe: (isInvited) =>
      isInvited ? { ...actOf('member.invited', account), details: { role: request.role } } : null,
  });
  const isInvited = await recorded
    .transaction()
    .execute((tx) => inviteByMail(tx, jobs, account.id, request, now))
    .catch(refuseForTeam);
  if (!isInvited) refuseNotPossible('account_closed');
}

interface MemberAct {
  accountId: string;
  memberId: string;
  reason: string;
}

export async function removeMerchantMember(
  { db, jobs, staff, now }: ChangeContext,
  { accountId, memberId, reason }: MemberAct,
): Promise<void> {
  const { account, email } = await knownMember({ db }, accountId, memberId);
  const recorded = actAsStaff(db, {
    ...{ staff, needs: 'support', now },
    describe: () => actOf('member.removed', account, reason),
  });
  const isRemoved = await removeAsOperator({ db: recorded, jobs }, account.id, email, now).catch(refuseForTeam);
  if (!isRemoved) refuseAsNotFound();
}

export async function resetMemberSecondFactor(
  { db, jobs, staff, now }: ChangeContext,
  { accountId, memberId, reason }: MemberAct,
): Promise<void> {
  const { account, email } = await knownMember({ db }, accountId, memberId);
  const recorded = actAsStaff<boolean>(db, {
    ...{ staff, needs: 'administer', now },
    describe: (isFound) => (isFound ? actOf('member.second_factor_removed', account, reason) : null),
  });
  if (!(await resetSecondFactor({ db: recorded, jobs }, account.id, email, now))) refuseAsNotFound();
}

/** An unknown key and one that is already revoked get the same response. */
export async function revokeMerchantKey(
  { db, staff, now }: ChangeContext,
  keyId: string,
  reason: string,
): Promise<void> {
  if (!isUuid(keyId)) return refuseAsNotFound();
  const account = await db
    .selectFrom('api_keys as k')
    .innerJoin('accounts as a', 'a.id', 'k.account_id')
    .select(['a.id', 'a.name'])
    .where('k.id', '=', keyId)
    .where('a.live_account_id', 'is', null)
    .executeTakeFirst();
  if (!account) return refuseAsNotFound();
  const recorded = actAsStaff<boolean>(db, {
    ...{ staff, needs: 'support', now },
    describe: (isRevoked) => (isRevoked ? { ...actOf('key.revoked', account, reason), details: { key: keyId } } : null),
  });
  if (!(await revokeAnyKey(recorded, keyId))) refuseAsNotFound();
}

async function knownMember({ db }: Pick<ChangeContext, 'db'>, accountId: string, memberId: string) {
  const account = await knownAccount(db, accountId);
  const member = isUuid(memberId)
    ? await db
        .selectFrom('members')
        .select('email')
        .where('account_id', '=', account.id)
        .where('id', '=', memberId)
        .executeTakeFirst()
    : undefined;
  return { account, email: (member ?? refuseAsNotFound()).email };
}

/** Refusals of the dashboard, in the words of the console. */
function refuseForTeam(error: unknown): never {
  const slug = error instanceof Refusal ? error.envelope.error : null;
  if (slug === 'TEAM_FULL') return refuseNotPossible('team_full');
  if (slug === 'LAST_OWNER') return refuseNotPossible('last_owner');
  if (slug === 'EMAIL_TAKEN') return refuseNotPossible('email_taken');
  throw error;
}
