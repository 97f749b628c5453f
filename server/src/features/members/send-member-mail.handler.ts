import { randomUUIDv7 } from 'node:crypto';
import type { Language, Role } from '@navette/contract';
import type { SendOutcome } from '../../adapters/send-outcome.ts';
import type { Database } from '../../database/database.ts';
import { MEMBERS } from '../../identity/people.ts';
import { type AccessMailing, mailResetLink, settleMail } from '../../identity/send-access-mail.ts';
import type { MemberMail, MemberNotice } from '../../jobs/definitions.ts';
import { linkTo } from '../../secrets/link-token.ts';
import { replaceInvitationToken } from './invitations.ts';
import { mailInvitation } from './mail-invitation.ts';
import { noticeEmail } from './notice-texts.ts';
import { readNoticeFacts } from './read-notice-facts.ts';

/**
 * Creates links just before sending, and stores their hash only. A retry creates another link, so that no link is stored
 * between attempts.
 */
export async function sendMemberMail(mailing: AccessMailing, job: MemberMail, now: Date): Promise<void> {
  settleMail(mailing, job, await send(mailing, job, now));
}

function send(mailing: AccessMailing, { kind, id, about }: MemberMail, now: Date): Promise<SendOutcome | null> {
  if (kind === 'invitation') return sendInvitation(mailing, id);
  if (kind === 'reset') return sendReset(mailing, id, now);
  return sendNotice(mailing, kind, { id, ...(about ? { about } : {}) }, now);
}

/** Null if the invitation was withdrawn or accepted meanwhile. */
async function sendInvitation({ db, mail, publicUrl }: AccessMailing, id: string): Promise<SendOutcome | null> {
  const invitation = await db
    .selectFrom('member_invitations as i')
    .innerJoin('accounts as a', 'a.id', 'i.account_id')
    .select(['i.email', 'i.role', 'i.language', 'i.invited_by_email as invitedBy', 'a.name as accountName'])
    .where('i.id', '=', id)
    .executeTakeFirst();
  if (!invitation) return null;
  const link = linkTo(publicUrl, '/dashboard/invitation', await replaceInvitationToken(db, id));
  const { role, language, ...facts } = invitation;
  return mailInvitation(mail, {
    id: randomUUIDv7(),
    ...facts,
    role: role as Role,
    language: language as Language,
    link,
  });
}

/** Null if no member has the address. */
async function sendReset(mailing: AccessMailing, id: string, now: Date): Promise<SendOutcome | null> {
  const member = await findRecipient(mailing.db, id);
  return member ? mailResetLink(mailing, MEMBERS, 'dashboard', { id, ...member }, now) : null;
}

/** Null if the member was removed or the cause resolved. */
async function sendNotice(
  { db, mail, publicUrl }: AccessMailing,
  notice: MemberNotice,
  { id, about }: { id: string; about?: string },
  now: Date,
): Promise<SendOutcome | null> {
  const member = await findRecipient(db, id);
  const facts = member && (await readNoticeFacts(db, member, notice, about, now));
  if (!member || !facts) return null;
  const email = noticeEmail(member.language as Language, notice, facts, publicUrl);
  return mail.send({ id: randomUUIDv7(), to: member.email, ...email, pictures: [] });
}

const findRecipient = (db: Database, memberId: string) =>
  db
    .selectFrom('members as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select(['m.email', 'm.language', 'm.account_id as accountId', 'a.name as accountName'])
    .where('m.id', '=', memberId)
    .executeTakeFirst();
