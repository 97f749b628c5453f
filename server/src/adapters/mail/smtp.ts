import { createTransport } from 'nodemailer';
import type { SendOutcome } from '../send-outcome.ts';
import type { Mail, MailSender } from './mail-sender.ts';

export interface SmtpOptions {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte; nodemailer's options as a query. */
  url: string;
  /** As in `Navette <bonjour@navette.example>`. */
  from: string;
  timeoutMs?: number;
}

/** A mail relay by SMTP, over connections that are kept open. SMTP cannot be asked for a mail whose answer was lost. */
export function createSmtpSender({ url, from, timeoutMs = 15_000 }: SmtpOptions): MailSender {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'navette.invalid';
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    maxRequeues: 0, // a mail whose connection broke is ours to judge
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true, // a template names pictures by content, never by path or address
    disableUrlAccess: true,
  });

  return {
    provider: 'smtp',
    async send({ id, to, subject, text, html, pictures }: Mail) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from,
          to: { name: '', address: to }, // as an object: a comma in it cannot make two recipients of one
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated' },
          attachments: pictures.map(({ name, png }) => ({
            filename: `${name}.png`,
            content: png,
            contentType: 'image/png',
            cid: name,
            contentDisposition: 'inline' as const,
          })),
        });
        return { kind: 'accepted', providerId: id };
      } catch (error) {
        return judge(error as SmtpError);
      }
    },
    async check() {
      await transport.verify();
    },
    async close() {
      transport.close();
    },
  };
}

interface SmtpError extends Error {
  code?: string;
  /** The system's own, such as ECONNREFUSED. */
  originalCode?: string;
  timeoutType?: string;
  responseCode?: number;
}

const BEFORE_ANY_MAIL = new Set([
  ...['EAUTH', 'ETLS', 'EDNS', 'ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'],
]);

/**
 * The relay's code decides: 4xx later, 5xx never, except that a refused login is the operator's to mend. Without a code
 * the connection broke, and only while it was being set up is it certain that nothing was accepted.
 */
function judge({ code, originalCode, timeoutType, responseCode }: SmtpError): SendOutcome {
  const reason = `smtp ${responseCode ?? timeoutType ?? originalCode ?? code ?? 'failed'}`;
  if ([code, originalCode, timeoutType].some((name) => name && BEFORE_ANY_MAIL.has(name))) {
    return { kind: 'postponed', reason };
  }
  if (responseCode) return { kind: responseCode >= 500 ? 'refused' : 'postponed', reason };
  return { kind: code === 'EENVELOPE' ? 'refused' : 'unknown', reason };
}
