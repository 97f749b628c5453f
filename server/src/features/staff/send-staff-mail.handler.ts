import { randomUUIDv7 } from 'node:crypto';
import type { Language, StaffRole } from '@navette/contract';
import type { SendOutcome } from '../../adapters/send-outcome.ts';
import type { Database } from '../../database/database.ts';
import { STAFF } from '../../identity/people.ts';
import { type AccessMailing, mailResetLink, settleMail } from '../../identity/send-access-mail.ts';
import type { StaffMail } from '../../jobs/definitions.ts';
import { linkTo } from '../../secrets/link-token.ts';
import { replaceStaffInvitationToken } from './invitations.ts';
import { staffInvitationEmail, staffNoticeEmail } from './staff-mail-texts.ts';

/**
 * Creates links just before sending, and stores their hash only. A retry creates another link, so that no link is stored
 * between attempts.
 */
export async function sendStaffMail(mailing: AccessMailing, job: StaffMail, now: Date): Promise<void> {
  settleMail(mailing, job, await send(mailing, job, now));
}

/** Null if the invitation was withdrawn or accepted meanwhile, or the person was removed. */
async function send(mailing: AccessMailing, { kind, id }: StaffMail, now: Date): Promise<SendOutcome | null> {
  if (kind === 'invitation') return sendInvitation(mailing, id);
  const { db, mail, publicUrl } = mailing;
  const staff = await findRecipient(db, id);
  if (!staff) return null;
  if (kind === 'reset') return mailResetLink(mailing, STAFF, 'console', { id, ...staff }, now);
  const email = staffNoticeEmail(staff.language as Language, kind, publicUrl);
  return mail.send({ id: randomUUIDv7(), to: staff.email, ...email, pictures: [] });
}

async function sendInvitation({ db, mail, publicUrl }: AccessMailing, id: string): Promise<SendOutcome | null> {
  const invitation = await db
    .selectFrom('staff_invitations')
    .select(['email', 'role', 'language'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!invitation) return null;
  const link = linkTo(publicUrl, '/console/invitation', await replaceStaffInvitationToken(db, id));
  const email = staffInvitationEmail(invitation.language as Language, invitation.role as StaffRole, link);
  return mail.send({ id: randomUUIDv7(), to: invitation.email, ...email, pictures: [] });
}

const findRecipient = (db: Database, staffId: string) =>
  db.selectFrom('staff').select(['email', 'language']).where('id', '=', staffId).executeTakeFirst();
