import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

type Answer = 'accept' | 'accept-and-hang-up' | { code: number; at: 'rcpt' | 'data' };

export interface ReceivedMail extends Email {
  to: NonNullable<Email['to']>;
  /** Whom the envelope named. */
  envelope: string[];
}

/** A local mail relay with the real SMTP server's protocol; what it takes is parsed and kept. */
export async function startFakeMailbox({ password }: { password?: string } = {}) {
  const mails: ReceivedMail[] = [];
  let answers: Answer[] = [];
  const refusal = (code: number, address: string) =>
    Object.assign(new Error(`<${address}>: refused`), { responseCode: code });
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: !password,
    onAuth: ({ password: given }, _session, done) =>
      given === password ? done(null, { user: 'navette' }) : done(new Error('Invalid login')),
    onRcptTo({ address }, _session, done) {
      const [answer] = answers;
      if (typeof answer !== 'object' || answer.at !== 'rcpt') return done();
      answers.shift();
      return done(refusal(answer.code, address));
    },
    async onData(stream, session, done) {
      try {
        await take(stream, session, done);
      } catch (error) {
        done(error as Error); // a sender who breaks off before the end has sent nothing
      }
    },
  });
  async function take(stream: SMTPServerDataStream, session: SMTPServerSession, done: (error?: Error) => void) {
    const raw = await buffer(stream);
    const answer = answers.shift() ?? 'accept';
    const envelope = session.envelope.rcptTo.map(({ address }) => address);
    if (typeof answer === 'object') return done(refusal(answer.code, envelope.join()));
    const parsed = await new PostalMime().parse(raw);
    mails.push({ ...parsed, to: parsed.to ?? [], envelope });
    if (answer === 'accept') return done();
    for (const connection of server.connections) (connection as { close(): void }).close();
  }
  server.on('error', () => {}); // connections that break are what some tests are about
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;

  return {
    url: `smtp://${password ? `navette:${password}@` : ''}127.0.0.1:${port}`,
    mails,
    sentTo: (address: string) => mails.filter(({ envelope }) => envelope.includes(address)),
    /** Given in turn; when there is none left, mails are accepted. */
    answerWith(...next: Answer[]) {
      answers = next;
    },
    stop: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

export type FakeMailbox = Awaited<ReturnType<typeof startFakeMailbox>>;
