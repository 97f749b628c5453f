import { randomUUIDv7 } from 'node:crypto';
import type { Language, Role } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { MailSender } from '../../adapters/mail/mail-sender.ts';
import type { SendOutcome } from '../../adapters/send-outcome.ts';
import type { Database } from '../../database/database.ts';
import type { MemberMail } from '../../jobs/definitions.ts';
import { makeInvitationToken } from './invitations.ts';
import { linkTo } from './link-token.ts';
import { mailInvitation } from './mail-invitation.ts';
import { resetEmail } from './mail-texts.ts';
import { makeResetToken } from './reset-password.ts';

export interface MemberMailing {
  db: Database;
  mail: MailSender;
  publicUrl: string;
  log: FastifyBaseLogger;
}

/**
 * The link is made here, moments before it leaves, and its hash is all that stays. Another attempt makes another link,
 * so that none is kept in between.
 */
export async function sendMemberMail(mailing: MemberMailing, { kind, id }: MemberMail, now: Date): Promise<void> {
  const outcome = kind === 'invitation' ? await sendInvitation(mailing, id) : await sendReset(mailing, id, now);
  if (!outcome || outcome.kind === 'accepted') return;
  const line = { kind, id, outcome: outcome.kind, reason: outcome.reason };
  if (outcome.kind !== 'refused') throw new Error(`${kind} mail ${outcome.kind}: ${outcome.reason}`);
  mailing.log.warn(line, 'member mail refused');
}

/** Null when it was withdrawn or accepted meanwhile. */
async function sendInvitation({ db, mail, publicUrl }: MemberMailing, id: string): Promise<SendOutcome | null> {
  const invitation = await db
    .selectFrom('member_invitations as i')
    .innerJoin('accounts as a', 'a.id', 'i.account_id')
    .select(['i.email', 'i.role', 'i.language', 'i.invited_by as invitedBy', 'a.name as accountName'])
    .where('i.id', '=', id)
    .executeTakeFirst();
  if (!invitation) return null;
  const link = linkTo(publicUrl, 'invitation', await makeInvitationToken(db, id));
  const { role, language, ...facts } = invitation;
  return mailInvitation(mail, {
    id: randomUUIDv7(),
    ...facts,
    role: role as Role,
    language: language as Language,
    link,
  });
}

/** Null when nobody has the address that was typed. */
async function sendReset({ db, mail, publicUrl }: MemberMailing, id: string, now: Date): Promise<SendOutcome | null> {
  const member = await db.selectFrom('members').select(['email', 'language']).where('id', '=', id).executeTakeFirst();
  if (!member) return null;
  const link = linkTo(publicUrl, 'reset', await makeResetToken(db, id, now));
  const letter = resetEmail(member.language as Language, link);
  return mail.send({ id: randomUUIDv7(), to: member.email, ...letter, pictures: [] });
}
