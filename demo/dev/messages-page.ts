import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { escapeHtml } from '../../server/src/output-formats/escape-html.ts';
import type { FakeMailbox } from '../../server/test/fake-mailbox.ts';
import type { FakeTwilio } from '../../server/test/fake-twilio.ts';

export interface MessagesPage {
  url: string;
  stop(): Promise<void>;
}

interface Message {
  kind: 'SMS' | 'E-mail';
  to: string;
  title: string;
  text: string;
}

const NEWEST = 100;
const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{max-width:46rem;margin:2rem auto;padding:0 1rem}article{border:1px solid #8886;border-radius:.6rem;padding:.7rem 1rem;margin:.8rem 0}
h1{font-size:1.4rem}h2{font-size:1rem;margin:0}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.4rem 0 0}`;

/**
 * A page with every SMS and e-mail that was sent, newest first, and two webhook endpoints for the demo: `/hooks/ok`
 * accepts every request, `/hooks/failing` answers 500.
 */
export async function serveMessagesPage(port: number, twilio: FakeTwilio, mailbox: FakeMailbox): Promise<MessagesPage> {
  const order: Message[] = [];
  const seen = { sms: 0, mails: 0 };
  function collect(): void {
    for (const { to, body } of twilio.messages.slice(seen.sms)) order.push({ kind: 'SMS', to, title: '', text: body });
    for (const { envelope, subject = '', text = '' } of mailbox.mails.slice(seen.mails)) {
      order.push({ kind: 'E-mail', to: envelope.join(', '), title: subject, text });
    }
    seen.sms = twilio.messages.length;
    seen.mails = mailbox.mails.length;
  }
  const collecting = setInterval(collect, 500); // keeps the order of arrival across both kinds

  function respond({ url }: IncomingMessage, response: ServerResponse): void {
    if (url?.startsWith('/hooks/')) {
      response.writeHead(url === '/hooks/ok' ? 200 : 500).end();
      return;
    }
    collect();
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(page(order.slice(-NEWEST).toReversed()));
  }
  const server = createServer((request, response) => {
    request.resume().on('end', () => respond(request, response));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(port, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      clearInterval(collecting);
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

function page(messages: Message[]): string {
  const articles = messages.map(
    ({ kind, to, title, text }) =>
      `<article><h2>${kind} to ${escapeHtml(to)}${title ? `: ${escapeHtml(title)}` : ''}</h2><pre>${withLinks(text)}</pre></article>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Messages (${messages.length})</title><style>${STYLE}</style></head>
<body><h1>SMS and e-mails, newest first</h1>${articles.join('\n') || '<p>No message yet.</p>'}</body></html>`;
}

const withLinks = (text: string) =>
  escapeHtml(text).replaceAll(/https?:\/\/[^\s<>"']+/g, (url) => `<a href="${url}">${url}</a>`);
