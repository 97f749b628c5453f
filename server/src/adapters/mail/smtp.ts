import { createTransport } from 'nodemailer';
import type { SendOutcome } from '../send-outcome.ts';
import type { Mail, MailSender } from './mail-sender.ts';

/**
 * `required`: nothing is sent without TLS and a verified certificate. `optional`: unencrypted when the relay offers no
 * TLS. `loopback`: like optional, and with any certificate, because the mail does not leave the machine.
 */
export type RelayTls = 'required' | 'optional' | 'loopback';

export interface SmtpOptions {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte; nodemailer's options as a query. */
  url: string;
  /** As in `Navette <bonjour@navette.example>`. */
  from: string;
  tls: RelayTls;
  timeoutMs?: number;
}

const CONNECTIONS = 10; // a relay answers some twenty mails a second on each; Postfix accepts fifty from one client

/** A mail relay over SMTP, with kept-alive connections. After a lost response SMTP has no way to look a mail up. */
export function createSmtpSender({ url, from, tls, timeoutMs = 15_000 }: SmtpOptions): MailSender {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'navette.invalid';
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    requireTLS: tls === 'required',
    ...(tls === 'loopback' ? { tls: { rejectUnauthorized: false } } : {}),
    maxRequeues: 0, // the caller decides about a mail whose connection broke
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true, // images are attached by content, never by path or URL
    disableUrlAccess: true,
  });

  let free = CONNECTIONS;
  const waiting: (() => void)[] = [];

  /** Nodemailer would queue a mail too, and send it however late. */
  async function takeConnection(): Promise<void> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function giveConnection(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  return {
    provider: 'smtp',
    async send({ id, to, subject, text, html, pictures, mayBegin = () => true }: Mail) {
      await takeConnection();
      try {
        if (!mayBegin()) return { kind: 'postponed', reason: 'smtp: no connection was free in time' };
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from,
          to: { name: '', address: to }, // an object, so that a comma cannot add a recipient
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
        return toOutcome(error as SmtpError);
      } finally {
        giveConnection();
      }
    },
    async check() {
      await transport.verify().catch((error: SmtpError) => {
        const reason = tlsReason(error);
        throw reason ? new Error(reason) : error;
      });
    },
    async close() {
      transport.close();
    },
  };
}

interface SmtpError extends Error {
  code?: string;
  /** Code of the operating system, such as ECONNREFUSED. */
  originalCode?: string;
  timeoutType?: string;
  responseCode?: number;
  /** The SMTP command that failed. */
  command?: string;
}

const BEFORE_SUBMISSION = new Set([
  ...['EAUTH', 'ETLS', 'EDNS', 'ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'],
]);

/**
 * By the relay's code: 4xx is retried, 5xx is final, except a refused login, which the operator can fix. Without a code
 * the connection broke; the mail was certainly not accepted only if that happened while connecting.
 */
function toOutcome(error: SmtpError): SendOutcome {
  const withoutTls = tlsReason(error);
  if (withoutTls) return { kind: 'postponed', reason: withoutTls };
  const { code, originalCode, timeoutType, responseCode } = error;
  const reason = `smtp ${responseCode ?? timeoutType ?? originalCode ?? code ?? 'failed'}`;
  if ([code, originalCode, timeoutType].some((name) => name && BEFORE_SUBMISSION.has(name))) {
    return { kind: 'postponed', reason };
  }
  if (responseCode) return { kind: responseCode >= 500 ? 'refused' : 'postponed', reason };
  return { kind: code === 'EENVELOPE' ? 'refused' : 'unknown', reason };
}

const BAD_CERTIFICATE = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/; // as OpenSSL and Node name them

/** The reason when TLS failed, which the operator can fix; else null. */
function tlsReason({ code, command, originalCode = '' }: SmtpError): string | null {
  if (code === 'ETLS' && command === 'STARTTLS') return 'smtp: the relay offers no TLS (STARTTLS); see MAIL_TLS';
  if (BAD_CERTIFICATE.test(originalCode)) return `smtp: the relay’s certificate is not trusted (${originalCode})`;
  return null;
}
