import type { SendOutcome } from '../send-outcome.ts';

export interface Mail {
  /** Ours, and the same at each attempt: mailboxes use it to recognise a copy. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Pictures that the page shows, as `cid:<name>`. */
  pictures: { name: string; png: Buffer }[];
}

export interface MailSender {
  readonly provider: string;
  send(mail: Mail): Promise<SendOutcome>;
  /** Throws unless mails could be handed over now. Sends nothing. */
  check(): Promise<void>;
  close(): Promise<void>;
}
