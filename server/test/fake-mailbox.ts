import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

type Answer = 'accept' | 'accept-and-hang' | 'accept-and-hang-up' | { code: number; at: 'rcpt' | 'data' };

export interface ReceivedMail extends Email {
  to: NonNullable<Email['to']>;
  /** Recipients of the envelope. */
  envelope: string[];
  /** Whether it was received over TLS. */
  secure: boolean;
}

export interface MailboxOptions {
  password?: string;
  /** Offers STARTTLS with this certificate. */
  certificate?: { key: string; cert: string };
  /** A relay without SMTPUTF8, which refuses names in other scripts. */
  asciiOnly?: boolean;
}

/** A local mail relay with the real SMTP protocol. It parses and keeps accepted mails. */
export async function startFakeMailbox({ password, certificate, asciiOnly = false }: MailboxOptions = {}) {
  const mails: ReceivedMail[] = [];
  let answers: Answer[] = [];
  let logins = 0;
  const refusal = (code: number, address: string) =>
    Object.assign(new Error(`<${address}>: refused`), { responseCode: code });
  const server = new SMTPServer({
    ...(certificate ?? { disabledCommands: ['STARTTLS'] }),
    hideSMTPUTF8: asciiOnly,
    authOptional: !password,
    onAuth({ password: given }, _session, done) {
      logins++;
      return given === password ? done(null, { user: 'navette' }) : done(new Error('Invalid login'));
    },
    onRcptTo({ address }, _session, done) {
      // Only the local part: the domain has already been decoded from its ASCII form.
      if (asciiOnly && !/^\p{ASCII}+@/u.test(address)) return done(refusal(553, address));
      const [answer] = answers;
      if (typeof answer !== 'object' || answer.at !== 'rcpt') return done();
      answers.shift();
      return done(refusal(answer.code, address));
    },
    async onData(stream, session, done) {
      try {
        await take(stream, session, done);
      } catch (error) {
        done(error as Error); // a connection that ends early has sent no mail
      }
    },
  });
  async function take(stream: SMTPServerDataStream, session: SMTPServerSession, done: (error?: Error) => void) {
    const raw = await buffer(stream);
    const answer = answers.shift() ?? 'accept';
    const envelope = session.envelope.rcptTo.map(({ address }) => address);
    if (typeof answer === 'object') return done(refusal(answer.code, envelope.join()));
    const parsed = await new PostalMime().parse(raw);
    mails.push({ ...parsed, to: parsed.to ?? [], envelope, secure: session.secure });
    if (answer === 'accept') return done();
    if (answer === 'accept-and-hang') return;
    for (const connection of server.connections) (connection as { close(): void }).close();
  }
  server.on('error', () => {}); // some tests break connections
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;

  return {
    url: `smtp://${password ? `navette:${password}@` : ''}127.0.0.1:${port}`,
    mails,
    /** Number of authentication attempts. */
    logins: () => logins,
    sentTo: (address: string) => mails.filter(({ envelope }) => envelope.includes(address)),
    /** Used in order; afterwards mails are accepted. */
    answerWith(...next: Answer[]) {
      answers = next;
    },
    stop: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

export type FakeMailbox = Awaited<ReturnType<typeof startFakeMailbox>>;
