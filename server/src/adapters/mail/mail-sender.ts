import type { SendOutcome } from '../send-outcome.ts';

export interface Mail {
  /** Our own id, the same for each attempt: mailboxes detect duplicates by it. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Images that the HTML refers to as `cid:<name>`. */
  pictures: { name: string; png: Buffer }[];
  /** Asked once a connection is free. When it returns false, the mail is postponed and not sent. */
  mayBegin?: () => boolean;
}

export interface MailSender {
  readonly provider: string;
  send(mail: Mail): Promise<SendOutcome>;
  /** Throws unless the relay would accept mails now. Sends nothing. */
  check(): Promise<void>;
  close(): Promise<void>;
}
