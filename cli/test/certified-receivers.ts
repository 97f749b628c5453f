import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { receiveWebhooks, type WebhookHandlers } from '../../sdk/src/webhooks.ts';

export const SECRET = 'navette_whsec_of_the_receiver';

export interface Receiver {
  webhook: string;
  processed: string;
  stop(): Promise<void>;
}

type Count = (id: string) => void;

/** Serves a receiver at /navette, and how many events of a shipment it processed at /processed/{id}. */
async function serve(build: (count: Count) => RequestListener): Promise<Receiver> {
  const counts = new Map<string, number>();
  const receive = build((id) => void counts.set(id, (counts.get(id) ?? 0) + 1));
  const server = createServer((request, response) => {
    const [, asked] = /^\/processed\/(.+)$/.exec(request.url ?? '') ?? [];
    if (asked) response.end(String(counts.get(asked) ?? 0));
    else receive(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    webhook: `${url}/navette`,
    processed: `${url}/processed/{id}`,
    async stop() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A correct one, with the SDK's adapter. */
export const serveSdkReceiver = () =>
  serve((count) => {
    const handle = ({ data }: { data: { id: string } }) => count(data.id);
    const events = ['created', 'assigned', 'picked_up', 'delivered', 'cancelled'];
    const handlers = Object.fromEntries(events.map((name) => [`shipping.${name}`, handle])) as WebhookHandlers;
    const { express } = receiveWebhooks({ secrets: SECRET, handlers, onError: () => {} });
    return (request, response) => {
      if (request.method === 'POST') void express(request, response);
      else response.writeHead(405).end();
    };
  });

interface Call {
  headers: IncomingMessage['headers'];
  method: string;
  raw: Buffer;
  running: number;
}

/** The parts of a receiver written by hand. Each default is correct; a fault replaces one. */
const CORRECT = {
  beforeAll: (_call: Call, _response: ServerResponse): boolean => false,
  isMethod: (method: string) => method === 'POST',
  signedText: ({ raw }: Call): string | Buffer => raw,
  timestamp: ({ headers }: Call) => String(headers['x-service-timestamp'] ?? ''),
  isSame: (given: string, expected: string) =>
    given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected)),
  isSigned: null as null | ((call: Call) => boolean),
  isRecent: (timestamp: string) => Math.abs(Date.now() - Date.parse(timestamp)) <= 300_000,
  onInvalidJson: 400,
  keyOf: (event: { event: string; data: { id: string } }, _call: Call) => `${event.data.id} ${event.event}`,
  duplicateStatus: 200,
  statusOf: (_event: { event: string; data: Record<string, unknown> } & Record<string, unknown>, _call: Call) => 200,
  work: async (_event: { event: string }) => {},
};

export type Fault = Partial<typeof CORRECT>;

/** A receiver written by hand, with one fault. */
export const serveFaultyReceiver = (fault: Fault = {}) =>
  serve((count) => {
    const rules = { ...CORRECT, ...fault };
    const seen = new Set<string>();
    let running = 0;

    async function answer(call: Call): Promise<number> {
      if (!rules.isMethod(call.method)) return 405;
      if (!(rules.isSigned ?? verify)(call)) return 401;
      let event: { event: string; data: { id: string } };
      try {
        event = JSON.parse(call.raw.toString());
      } catch {
        return rules.onInvalidJson;
      }
      const status = rules.statusOf(event, call);
      if (status !== 200) return status;
      const key = rules.keyOf(event, call);
      if (seen.has(key)) return rules.duplicateStatus;
      seen.add(key);
      count(event.data.id);
      await rules.work(event);
      return 200;
    }

    function verify(call: Call): boolean {
      try {
        const timestamp = rules.timestamp(call);
        if (!timestamp) return false;
        const text = rules.signedText(call);
        const expected = createHmac('sha256', SECRET).update(`${timestamp}.`).update(text).digest('hex');
        const [, given] = /^sha256=(.+)$/.exec(String(call.headers['x-service-signature'])) ?? [];
        return given !== undefined && rules.isSame(given, expected) && rules.isRecent(timestamp);
      } catch {
        return false;
      }
    }

    return (request, response) => {
      void (async () => {
        running++;
        try {
          const raw = await buffer(request);
          const call = { headers: request.headers, method: request.method ?? '', raw, running };
          if (!rules.beforeAll(call, response)) response.writeHead(await answer(call)).end();
        } catch {
          response.destroy(); // the caller has closed its connection
        } finally {
          running--;
        }
      })();
    };
  });

/** Each wrong receiver, with the checks that fail: the one that names its fault, and those that follow from it. */
export const FAULTY: Record<string, { fault: Fault; fails: string[] }> = {
  'verifies a body that was parsed and serialised again': {
    fault: { signedText: ({ raw }) => JSON.stringify(JSON.parse(raw.toString())) },
    fails: ['raw-body-spacing', 'raw-body-escapes', 'raw-body-numbers'],
  },
  'verifies nothing': {
    fault: { isSigned: () => true },
    fails: [
      ...['refuses-bad-signature', 'refuses-missing-signature', 'refuses-missing-timestamp', 'refuses-wrong-secret'],
      ...['refuses-changed-body', 'refuses-truncated-signature', 'refuses-body-timestamp', 'refuses-old-timestamp'],
      'refuses-future-timestamp',
    ],
  },
  'accepts a request without a signature': {
    fault: {
      beforeAll: ({ headers, method }, response) => {
        const isUnsigned = method === 'POST' && !headers['x-service-signature'];
        if (isUnsigned) response.writeHead(200).end();
        return isUnsigned;
      },
    },
    fails: ['refuses-missing-signature'],
  },
  'compares the beginning of the signature': {
    fault: { isSame: (given, expected) => expected.startsWith(given) },
    fails: ['refuses-truncated-signature'],
  },
  'does not check the age of a signature': {
    fault: { isRecent: () => true },
    fails: ['refuses-old-timestamp', 'refuses-future-timestamp'],
  },
  'accepts signatures of the future': {
    fault: { isRecent: (timestamp) => Date.now() - Date.parse(timestamp) <= 300_000 },
    fails: ['refuses-future-timestamp'],
  },
  'signs the timestamp of the body': {
    fault: { timestamp: ({ raw }) => JSON.parse(raw.toString()).timestamp },
    fails: ['late-event', 'refuses-missing-timestamp', 'refuses-body-timestamp'],
  },
  'processes duplicates': {
    fault: { keyOf: (_event, { headers }) => String(headers['x-service-signature']) },
    fails: ['duplicate-processed-once'],
  },
  'drops later events of a shipment': {
    fault: { keyOf: ({ data }) => data.id },
    fails: ['same-shipment-other-event'],
  },
  'refuses duplicates with 409': { fault: { duplicateStatus: 409 }, fails: ['duplicate-accepted'] },
  'refuses events that it does not know': {
    fault: { statusOf: ({ event }) => (event === 'shipping.certified' ? 400 : 200) },
    fails: ['unknown-event'],
  },
  'refuses fields that it does not know': {
    fault: { statusOf: (event) => (Object.keys(event).length > 3 ? 422 : 200) },
    fails: ['unknown-fields'],
  },
  'has a small body limit': {
    fault: { statusOf: (_event, { raw }) => (raw.length > 8_192 ? 413 : 200) },
    fails: ['large-body'],
  },
  'does the work before it answers': {
    fault: { work: async ({ event }) => void (event === 'shipping.picked_up' && (await wait(5_500))) },
    fails: ['answers-in-time'],
  },
  'handles two requests at a time': {
    fault: { statusOf: (_event, { running }) => (running > 2 ? 503 : 200), work: () => wait(20) },
    fails: ['concurrent'],
  },
  'redirects to an address with a slash': {
    fault: {
      beforeAll: (_call, response) => {
        response.writeHead(308, { location: '/navette/' }).end();
        return true;
      },
    },
    fails: ['no-redirect'],
  },
  'fails on a body that is not JSON': { fault: { onInvalidJson: 500 }, fails: ['survives-invalid-json'] },
  'takes a GET for an event': { fault: { beforeAll: acceptGet }, fails: ['get-is-no-event'] },
};

function acceptGet({ method }: Call, response: ServerResponse): boolean {
  if (method === 'GET') response.writeHead(200).end();
  return method === 'GET';
}
