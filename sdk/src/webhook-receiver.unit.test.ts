import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { signTestWebhook } from './testing.ts';
import { memoryStore, receiveWebhooks, type WebhookEvent, type WebhookReceiver } from './webhooks.ts';

const secret = 'navette_whsec_of_this_test';
let handled: WebhookEvent[];
let tested: WebhookEvent[];
let errors: unknown[];
let webhooks: WebhookReceiver;
/** Handlers wait for this. */
let gate: Promise<void>;
let openGate: () => void;
let stops: (() => Promise<unknown>)[];

beforeEach(() => {
  handled = [];
  tested = [];
  errors = [];
  stops = [];
  gate = new Promise((resolve) => {
    openGate = resolve;
  });
  webhooks = receiveWebhooks({
    secrets: ['an older one', secret],
    handlers: {
      async 'shipping.delivered'(event) {
        await gate;
        handled.push(event);
      },
      'shipping.cancelled': () => Promise.reject(new Error('handler failed')),
    },
    onError: (error) => errors.push(error),
    onTest: (event) => tested.push(event),
  });
});
afterEach(async () => {
  for (const stop of stops) await stop();
});

type Signed = Awaited<ReturnType<typeof signTestWebhook>>;
type Send = (signed: Pick<Signed, 'headers' | 'body'>) => Promise<Response>;

async function serveNode(listen: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<Send> {
  const server = createServer((request, response) => void listen(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  stops.push(() => new Promise((closed) => server.close(closed)));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return ({ headers, body }) => fetch(url, { method: 'POST', headers: { ...headers, connection: 'close' }, body });
}

const toRequest = ({ headers, body }: Pick<Signed, 'headers' | 'body'>) =>
  new Request('https://shop.example.org/navette', { method: 'POST', headers, body });

const ADAPTERS: Record<string, () => Promise<Send>> = {
  fetch: async () => (signed) => webhooks.fetch(toRequest(signed)),
  'fetch with waitUntil': async () => (signed) => webhooks.fetch(toRequest(signed), { waitUntil: () => {} }),
  next: async () => {
    const POST = webhooks.next((work) => setTimeout(() => void work(), 0));
    return (signed) => POST(toRequest(signed));
  },
  'express without a body parser': () => serveNode(webhooks.express),
  'express behind express.raw()': () =>
    serveNode(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      await webhooks.express(Object.assign(request, { body }), response);
    }),
  async fastify() {
    const app = Fastify();
    await app.register(webhooks.fastify, { url: '/navette' });
    app.post('/other', async ({ body }) => ({ body })); // keeps its JSON parser
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    stops.push(() => app.close());
    return ({ headers, body }) => fetch(`${url}/navette`, { method: 'POST', headers, body });
  },
};

describe.each(Object.entries(ADAPTERS))('the adapter for %s', (_name, start) => {
  test('answers before the handler has finished, and drops duplicates', async () => {
    const send = await start();
    const signed = await signTestWebhook({ secret, data: { referenceNumber: 'Zoé 👍 \u2028' } });
    expect((await send(signed)).status).toBe(200); // while the gate is closed
    const again = await signTestWebhook({ secret, data: signed.event.data, signedAt: new Date(Date.now() - 1_000) });
    expect((await send(again)).status).toBe(200);
    expect(handled).toEqual([]);
    openGate();
    await webhooks.idle();
    expect(handled).toEqual([signed.event]);
    expect(errors).toEqual([]);
  });

  test('refuses a wrong signature, and calls no handler', async () => {
    const send = await start();
    const { headers, body } = await signTestWebhook({ secret: 'another' });
    const answer = await send({ headers, body });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toBe('webhook_signature');
    expect(errors).toMatchObject([{ slug: 'webhook_signature' }]);
  });
});

test('a parsed body is reported, not compared', async () => {
  const send = await serveNode(async (request, response) => {
    const body: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString());
    await webhooks.express(Object.assign(request, { body }), response);
  });
  expect((await send(await signTestWebhook({ secret }))).status).toBe(500);
  expect(String(errors[0])).toContain('a body parser has already parsed it');
});

test('a body over 1 MiB is refused before it is read', async () => {
  const send = await serveNode(webhooks.express);
  const { headers } = await signTestWebhook({ secret });
  expect((await send({ headers, body: 'x'.repeat(2 * 1024 * 1024) })).status).toBe(413);
});

test('an old signature is refused', async () => {
  const signed = await signTestWebhook({ secret, signedAt: new Date(Date.now() - 6 * 60_000) });
  expect(await (await webhooks.fetch(toRequest(signed))).text()).toBe('webhook_expired');
});

test('an event whose handler failed is given to it again', async () => {
  const signed = await signTestWebhook({ secret, event: 'shipping.cancelled' });
  for (const attempt of [1, 2]) {
    await webhooks.fetch(toRequest(signed));
    await eventually(() => expect(errors).toHaveLength(attempt));
  }
});

test('a test request of the dashboard reaches onTest, and no handler', async () => {
  openGate();
  const signed = await signTestWebhook({ secret, data: { id: '00000000-0000-0000-0000-000000000000' } });
  for (let sent = 0; sent < 2; sent++) await webhooks.fetch(toRequest(signed));
  await webhooks.idle();
  expect(tested).toEqual([signed.event, signed.event]);
  expect(handled).toEqual([]);
});

test('an event without a handler, and one of a later version, are ignored', async () => {
  for (const name of ['shipping.created', 'shipping.returned']) {
    const { event } = await signTestWebhook({ secret });
    expect(await webhooks.dispatch({ ...event, event: name as 'shipping.created' }, { origin: 'webhook' })).toBe(
      'ignored',
    );
  }
});

test('the store in memory forgets the oldest keys', () => {
  const store = memoryStore(2);
  expect(['a', 'b', 'a', 'c', 'a'].map((key) => store.claim(key))).toEqual([true, true, false, true, true]);
});
