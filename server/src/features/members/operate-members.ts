import type { Language, Role } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { OPERATOR, recordAct } from './acts.ts';
import { type InvitationRequest, invite, makeInvitationToken } from './invitations.ts';
import { linkTo } from './link-token.ts';
import type { MailedInvitation } from './mail-invitation.ts';
import { closeAllSessions } from './member-sessions.ts';
import { makeResetToken } from './reset-password.ts';
import { dropSecondFactor } from './second-factor.ts';

/** An invitation with its link, for the operator to hand over; null when there is no such open account. */
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
    const { id, email, role, language, expiresAt } = await invite(tx, accountId, OPERATOR, request, now);
    const link = linkTo(publicUrl, 'invitation', await makeInvitationToken(tx, id));
    const person = { email, role: role as Role, language: language as Language, invitedBy: null };
    return { id, ...person, accountName: account.name, expiresAt, link };
  });
}

/** For who lost telephone and recovery codes, once the operator knows that it is them. Signs them out everywhere. */
export async function resetSecondFactor(
  db: Database,
  accountId: string,
  email: string,
  now = new Date(),
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const member = await findByEmail(tx, accountId, email);
    if (!member) return false;
    await dropSecondFactor(tx, member.id);
    await closeAllSessions(tx, member.id);
    await recordAct(tx, accountId, OPERATOR, 'second-factor-off', member.email, now);
    return true;
  });
}

/** A link to set a new password, for who gets no mail; null when the account has no such member. */
export async function makeResetLink(
  db: Database,
  accountId: string,
  email: string,
  publicUrl: string,
  now = new Date(),
): Promise<string | null> {
  const member = await findByEmail(db, accountId, email);
  if (!member) return null;
  await recordAct(db, accountId, OPERATOR, 'reset-link-made', member.email, now);
  return linkTo(publicUrl, 'reset', await makeResetToken(db, member.id, now));
}

const findByEmail = (db: Database, accountId: string, email: string) =>
  db
    .selectFrom('members')
    .select(['id', 'email'])
    .where('account_id', '=', accountId)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
