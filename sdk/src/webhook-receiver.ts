import { NavetteError } from './errors.ts';
import { type EventStore, memoryStore } from './event-store.ts';
import type { WebhookEventName } from './generated/api-types.ts';
import { type RawRequest, type VerifyOptions, verifyWebhook } from './verify-webhook.ts';
import { eventKey, isTestEvent, type WebhookEvent } from './webhook-event.ts';

export interface EventContext {
  /** `reconcile`: the event did not arrive, or its handler failed. */
  origin: 'webhook' | 'reconcile';
}

export type WebhookHandlers = {
  [E in WebhookEventName]?: (event: WebhookEvent<E>, context: EventContext) => unknown;
};

export interface ReceiverOptions extends VerifyOptions {
  handlers: WebhookHandlers;
  /** In memory by default. */
  store?: EventStore;
  /** Receives failures of handlers and of the store, which the service cannot see: it has its response by then. */
  onError: (error: unknown, event: WebhookEvent | null) => void;
  /** Receives the test requests of dashboard and operator; handlers do not. */
  onTest?: (event: WebhookEvent) => unknown;
}

export type Outcome = 'handled' | 'duplicate' | 'ignored';
type Later = (work: () => Promise<void>) => unknown;

/** Parts of Node's request and response, which Express extends. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
}
interface NodeResponse {
  statusCode: number;
  end(text: string, sent: () => void): unknown;
}

/** Parts of a Fastify instance. */
interface FastifyApp {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(
    url: string,
    handler: (request: { headers: NodeRequest['headers']; body: unknown }, reply: FastifyReply) => unknown,
  ): unknown;
}
interface FastifyReply {
  code(status: number): FastifyReply;
  send(text: string): unknown;
}

export interface WebhookReceiver {
  /** For Deno, Bun, Hono, and Workers, whose `ctx` keeps the process alive until the work is done. */
  fetch: (request: Request, ctx?: unknown) => Promise<Response>;
  /** `export const POST = webhooks.next(after)` with `after` of `next/server`. */
  next: (after: Later) => (request: Request) => Promise<Response>;
  /** For Express behind `express.raw()` or without a body parser, and for node:http. */
  express: (request: NodeRequest, response: NodeResponse) => Promise<void>;
  /** `app.register(webhooks.fastify, { url: '/navette' })` */
  fastify: (app: FastifyApp, options: { url: string }) => Promise<void>;
  /** Gives an event to its handler, unless the store has it. Throws what the handler throws. */
  dispatch: (event: WebhookEvent, context: EventContext) => Promise<Outcome>;
  /** Waits until no handler runs: call it before the process ends. */
  idle: () => Promise<void>;
}

const MOST_BYTES = 1024 * 1024; // events are far smaller
const soon: Later = (work) => setTimeout(() => void work(), 0); // the response leaves first

/**
 * Verifies requests, answers them, and then calls handlers, because the service waits 5 s, tries three times and drops
 * the event. The response depends on the signature only; `reconcile()` finds the events that were not handled.
 */
export function receiveWebhooks(options: ReceiverOptions): WebhookReceiver {
  const { handlers, store = memoryStore(), onError, onTest } = options;
  let running = 0; // handlers, also those that are about to start

  async function dispatch(event: WebhookEvent, context: EventContext): Promise<Outcome> {
    const handler = handlers[event.event] as ((event: WebhookEvent, context: EventContext) => unknown) | undefined;
    if (!handler) return 'ignored';
    const key = eventKey(event);
    if (!(await store.claim(key))) return 'duplicate';
    try {
      await handler(event, context);
    } catch (error) {
      await store.release(key);
      throw error;
    }
    await store.done(key);
    return 'handled';
  }

  async function answer(request: Request | RawRequest, later: Later): Promise<[status: number, text: string]> {
    let event: WebhookEvent;
    try {
      event = await verifyWebhook(request, options);
    } catch (error) {
      onError(error, null);
      return error instanceof NavetteError ? [401, error.slug] : [500, ''];
    }
    const work = async () => {
      try {
        await (isTestEvent(event) ? onTest?.(event) : dispatch(event, { origin: 'webhook' }));
      } catch (error) {
        onError(error, event);
      }
    };
    running++;
    later(() => work().finally(() => running--));
    return [200, ''];
  }

  async function answerFetch(request: Request, later: Later): Promise<Response> {
    if (request.method !== 'POST') return new Response('', { status: 405 });
    const [status, text] = await answer(request, later);
    return new Response(text, { status });
  }

  return {
    dispatch,
    fetch(request, ctx) {
      const { waitUntil } = (ctx ?? {}) as { waitUntil?: (work: Promise<void>) => void };
      return answerFetch(request, waitUntil ? (work) => waitUntil.call(ctx, work()) : soon);
    },
    next: (after) => (request) => answerFetch(request, after),
    async express(request, response) {
      const works: (() => Promise<void>)[] = [];
      const body = request.body ?? (await readBody(request));
      const rawRequest = { headers: request.headers, rawBody: body as Uint8Array };
      const [status, text] = body !== null ? await answer(rawRequest, (work) => works.push(work)) : [413, ''];
      response.statusCode = status;
      response.end(text, () => works.forEach(soon));
    },
    async fastify(app, { url }) {
      app.removeAllContentTypeParsers(); // of this plugin's context only
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      app.post(url, async (request, reply) => {
        const [status, text] = await answer(
          { headers: request.headers, rawBody: (request.body ?? '') as Uint8Array },
          soon,
        );
        return reply.code(status).send(text);
      });
    },
    async idle() {
      while (running > 0) await new Promise((resume) => setTimeout(resume, 10));
    },
  };
}

/** Null when it is too large. */
async function readBody(request: AsyncIterable<Uint8Array>): Promise<ArrayBuffer | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > MOST_BYTES) return null;
    parts.push(part);
  }
  return new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer();
}
