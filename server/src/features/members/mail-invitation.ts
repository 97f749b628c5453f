import type { Language, Role } from '@navette/contract';
import type { MailSender } from '../../adapters/mail/mail-sender.ts';
import type { SendOutcome } from '../../adapters/send-outcome.ts';
import { invitationEmail } from './mail-texts.ts';

export interface MailedInvitation {
  id: string;
  email: string;
  role: Role;
  language: Language;
  accountName: string;
  invitedBy: string | null;
  link: string;
}

/** Mails an existing link. Used by the worker and by the command line, which prints the link too. */
export function mailInvitation(
  mail: MailSender,
  { id, email, language, ...facts }: MailedInvitation,
): Promise<SendOutcome> {
  return mail.send({ id, to: email, ...invitationEmail(language, facts), pictures: [] });
}
