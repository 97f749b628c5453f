import type { Config } from '../../config.ts';
import { isLoopback } from '../../network/is-loopback.ts';
import type { MailSender } from './mail-sender.ts';
import { createSmtpSender, type RelayTls } from './smtp.ts';

export type MailConfig = Pick<Config, 'mailUrl' | 'mailFrom' | 'mailTls'>;

/** Without a relay, e-mails stay in the database, where `navette messages` shows them. */
export function createMailSender({ mailUrl, mailFrom, mailTls }: MailConfig): MailSender {
  if (mailUrl) return createSmtpSender({ url: mailUrl, from: mailFrom, tls: relayTls(mailUrl, mailTls) });
  return {
    provider: 'development',
    send: async () => ({ kind: 'accepted', providerId: null }),
    check: async () => {},
    close: async () => {},
  };
}

/** A mail contains the link that shows the delivery code: it is sent encrypted unless the operator configures otherwise. */
export function relayTls(url: string, setting: MailConfig['mailTls']): RelayTls {
  if (setting !== 'auto') return setting;
  return isLoopback(new URL(url).hostname) ? 'loopback' : 'required';
}
