import type { Language, Role } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { MEMBERS } from '../../identity/people.ts';
import { createResetToken } from '../../identity/reset-password.ts';
import { deleteSecondFactor } from '../../identity/second-factor.ts';
import { closeAllSessions } from '../../identity/sessions.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { sendMemberMailJob } from '../../jobs/definitions.ts';
import { linkTo } from '../../secrets/link-token.ts';
import { type InvitationRequest, invite, replaceInvitationToken } from './invitations.ts';
import type { MailedInvitation } from './mail-invitation.ts';
import { authorizeOperator } from './require-actor.ts';
import { OPERATOR, recordAct } from './security-log.ts';
import { removeMember } from './team.ts';

/** Creates an invitation and returns its link for the operator. Null if the account does not exist or is closed. */
export async function inviteAsOperator(
  db: Database,
  accountId: string,
  request: InvitationRequest,
  publicUrl: string,
  now = new Date(),
): Promise<(MailedInvitation & { expiresAt: Date }) | null> {
  return db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', accountId)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (!account) return null;
    const { id, email, role, language, expiresAt } = await invite(tx, accountId, authorizeOperator, request, now);
    const link = linkTo(publicUrl, '/dashboard/invitation', await replaceInvitationToken(tx, id));
    const person = { email, role: role as Role, language: language as Language, invitedBy: null };
    return { id, ...person, accountName: account.name, expiresAt, link };
  });
}

/** Invites a person; the worker mails the link. False if there is no such account, or it is closed. */
export async function inviteByMail(
  tx: Tx,
  jobs: JobSender,
  accountId: string,
  request: InvitationRequest,
  now: Date,
): Promise<boolean> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (!account) return false;
  const { id } = await invite(tx, accountId, authorizeOperator, request, now);
  await jobs.send(tx, sendMemberMailJob, { kind: 'invitation', id });
  return true;
}

/**
 * For a member who lost phone and recovery codes, once the operator has verified their identity. Ends all sessions, removes the
 * passkeys, with which the person who has the phone could sign in, and notifies the member by mail, in case of social engineering.
 */
export async function resetSecondFactor(
  { db, jobs }: { db: Database; jobs: JobSender },
  accountId: string,
  email: string,
  now = new Date(),
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const member = await findByEmail(tx, accountId, email);
    if (!member) return false;
    await deleteSecondFactor(tx, MEMBERS, member.id);
    const passkeys = await tx
      .deleteFrom('member_passkeys')
      .where('member_id', '=', member.id)
      .returning('name')
      .execute();
    await closeAllSessions(tx, MEMBERS, member.id);
    for (const { name } of passkeys)
      await recordAct(tx, accountId, OPERATOR, { act: 'passkey-removed', subject: name, subjectId: member.id }, now);
    if (passkeys.length > 0) await jobs.send(tx, sendMemberMailJob, { kind: 'passkey-removed', id: member.id });
    await jobs.send(tx, sendMemberMailJob, { kind: 'second-factor-off', id: member.id });
    await recordAct(tx, accountId, OPERATOR, { act: 'second-factor-off', ...named(member) }, now);
    return true;
  });
}

/** For a member who left or requests erasure: deletes row, sessions and codes, and records it in the security log. */
export async function removeAsOperator(
  { db, jobs }: { db: Database; jobs: JobSender },
  accountId: string,
  email: string,
  now = new Date(),
): Promise<boolean> {
  const member = await findByEmail(db, accountId, email);
  if (!member) return false;
  await removeMember({ db, jobs }, { accountId, by: null, memberId: member.id }, now);
  return true;
}

/** Creates a password reset link, for members without e-mail. Null if the account has no such member. */
export async function createResetLink(
  db: Database,
  accountId: string,
  email: string,
  publicUrl: string,
  now = new Date(),
): Promise<string | null> {
  const member = await findByEmail(db, accountId, email);
  if (!member) return null;
  await recordAct(db, accountId, OPERATOR, { act: 'reset-link-made', ...named(member) }, now);
  return linkTo(publicUrl, '/dashboard/reset', await createResetToken(db, MEMBERS, member.id, now));
}

const named = ({ id, email }: { id: string; email: string }) => ({ subject: email, subjectId: id });

const findByEmail = (db: Database, accountId: string, email: string) =>
  db
    .selectFrom('members')
    .select(['id', 'email'])
    .where('account_id', '=', accountId)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
