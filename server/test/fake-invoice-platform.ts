import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const TOKEN = 'of-a-double-on-loopback';

interface Deposited {
  id: string;
  kind: string;
  pdf: Buffer;
  /** Requests with this key. */
  requests: number;
  statuses: { id: string; code: number; at: string }[];
}

/** The answer to the next deposits, in order; afterwards they are accepted. */
type Answer = 'accept' | 'accept-and-hold' | 'down' | number;

/** A certified platform on loopback, with the two requests of https-platform.ts. */
export async function startFakeInvoicePlatform() {
  const documents = new Map<string, Deposited>();
  let answers: Answer[] = [];
  let asked = 0;
  let held: (() => void) | null = null;

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const respond = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return respond(401, {});
    if (request.method === 'GET') {
      asked++;
      const id = request.url?.split('/').at(-2);
      const found = [...documents.values()].find((each) => each.id === id);
      return found ? respond(200, { statuses: found.statuses }) : respond(404, {});
    }
    const pdf = await buffer(request);
    const answer = answers.shift() ?? 'accept';
    if (answer === 'down') return request.socket.destroy();
    if (typeof answer === 'number') return respond(answer, { error: 'refused' });
    const number = String(request.headers['idempotency-key']);
    const known = documents.get(number);
    // As Stripe and the platforms do: another content with a known key is a mistake.
    if (known && !known.pdf.equals(pdf)) return respond(422, {});
    const id = `doc-${createHash('sha256').update(number).digest('hex').slice(0, 12)}`;
    const kind = String(request.headers['x-document-kind']);
    const document = known ?? { id, kind, pdf, requests: 0, statuses: [] };
    document.requests++;
    documents.set(number, document);
    if (answer === 'accept-and-hold') return held?.();
    return respond(known ? 200 : 201, { id: document.id });
  }

  const server = createServer((request, response) => {
    answerTo(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    settings: { EINVOICE_URL: url, EINVOICE_TOKEN: TOKEN },
    url,
    token: TOKEN,
    documents,
    /** How often statuses were asked for. */
    get asked() {
      return asked;
    },
    answerWith(...next: Answer[]) {
      answers = next;
    },
    /** Resolves when a request is held. */
    holding: () =>
      new Promise<void>((resolve) => {
        held = resolve;
      }),
    report(number: string, ...statuses: Deposited['statuses']) {
      documents.get(number)?.statuses.push(...statuses);
    },
    async stop() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

export type FakeInvoicePlatform = Awaited<ReturnType<typeof startFakeInvoicePlatform>>;
