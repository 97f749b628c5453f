import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface TwilioMessage {
  sid: string;
  to: string;
  from: string;
  body: string;
}

type Answer =
  | 'accept'
  /** Accepts the message and never responds. */
  | 'accept-and-hang'
  | 'accept-and-hang-up'
  /** Closes the connection without accepting the message. */
  | 'hang-up'
  | { status: number; code?: number; retryAfter?: number };

export const TWILIO_SID = 'AC00000000000000000000000000000000';
export const TWILIO_TOKEN = 'twilio-token-of-a-test';

/** A local server with Twilio's REST protocol: creates messages, lists them by number. */
export async function startFakeTwilio() {
  const messages: TwilioMessage[] = [];
  const held: ServerResponse[] = [];
  let answers: Answer[] = [];
  let attempts = 0;
  let asked = 0;
  const path = `/2010-04-01/Accounts/${TWILIO_SID}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${TWILIO_SID}:${TWILIO_TOKEN}`).toString('base64')}`;

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '/', 'http://twilio.test');
    const respond = (status: number, body: object, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    if (url.pathname !== path) return respond(404, { code: 20404, message: 'not found', status: 404 });
    if (request.headers.authorization !== authorization) return respond(401, { code: 20003, status: 401 });
    if (request.method === 'GET') {
      asked++;
      return respond(200, { messages: messages.filter(({ to }) => to === url.searchParams.get('To')) });
    }
    const form = new URLSearchParams(await text(request));
    attempts++;
    const answer = answers.shift() ?? 'accept';
    if (answer === 'hang-up') return request.socket.destroy();
    if (typeof answer === 'object') {
      // Like the real service, it repeats the number: tests check that it is not stored.
      const message = `The 'To' number ${form.get('To')} is not accepted now`;
      const headers: Record<string, string> = answer.retryAfter ? { 'retry-after': String(answer.retryAfter) } : {};
      return respond(answer.status, { code: answer.code ?? null, message, status: answer.status }, headers);
    }
    const [to, from, body] = ['To', 'From', 'Body'].map((name) => form.get(name) ?? '') as [string, string, string];
    const sid = `SM${String(messages.length + 1).padStart(32, '0')}`;
    messages.push({ sid, to, from, body });
    if (answer === 'accept-and-hang') return held.push(response);
    if (answer === 'accept-and-hang-up') return request.socket.destroy();
    return respond(201, { sid, to, from, body, status: 'queued' });
  }
  const server = createServer((request, response) => {
    answerTo(request, response).catch(() => request.socket.destroy()); // a connection that ends early has sent no message
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;

  return {
    /** For SMS_URL. */
    url: `twilio+http://${TWILIO_SID}:${TWILIO_TOKEN}@127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}`,
    messages,
    held,
    get attempts() {
      return attempts;
    },
    /** Number of list requests. */
    get asked() {
      return asked;
    },
    sentTo: (number: string) => messages.filter(({ to }) => to === number),
    /** Used in order; afterwards messages are accepted. */
    answerWith(...next: Answer[]) {
      answers = next;
    },
    async stop() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

export type FakeTwilio = Awaited<ReturnType<typeof startFakeTwilio>>;
