import type { Config } from '../../config.ts';
import type { MailSender } from './mail-sender.ts';
import { createSmtpSender } from './smtp.ts';

/** Without a relay, e-mails stay in the database, where `navette messages` shows them. */
export function createMailSender({ mailUrl, mailFrom }: Pick<Config, 'mailUrl' | 'mailFrom'>): MailSender {
  if (mailUrl) return createSmtpSender({ url: mailUrl, from: mailFrom });
  return {
    provider: 'development',
    send: async () => ({ kind: 'accepted', providerId: null }),
    check: async () => {},
    close: async () => {},
  };
}
