import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Received {
  path: string;
  /** When the request began and when its response was given to the socket: `performance.now()`. */
  at: number;
  answeredAt: number | null;
  headers: IncomingHttpHeaders;
  body: Buffer;
  faults: string[];
}

type Behaviour = (request: Received, response: ServerResponse, nth: number) => void;

const DATA_FIELDS = [
  ...['id', 'professionalId', 'referenceNumber', 'status', 'price', 'externalReference', 'createdAt', 'updatedAt'],
  ...['pickupAddress', 'deliveryAddress', 'deliverer'],
];
const PLACE = ['street', 'city', 'postalCode', 'country'];

/**
 * A merchant's endpoint: one server, one path per webhook. Checks every request as the contract asks of merchants,
 * from the raw bytes and the headers, and the body against the contract's whitelist.
 */
export async function startWebhookReceiver() {
  const received: Received[] = [];
  const secrets = new Map<string, string>();
  const behaviours = new Map<string, Behaviour>();
  const counts = new Map<string, number>();

  const server = createServer((message, response) => {
    receive(message, response).catch(() => message.socket.destroy()); // a connection that ends early has sent no request
  });
  async function receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    const path = message.url ?? '';
    const body = await buffer(message);
    const secret = secrets.get(path);
    const faults = secret === undefined ? [] : findFaults(message, body, secret);
    const request: Received = { path, at, answeredAt: null, headers: message.headers, body, faults };
    received.push(request);
    response.on('prefinish', () => {
      request.answeredAt = performance.now();
    });
    const nth = (counts.get(path) ?? 0) + 1;
    counts.set(path, nth);
    const behave = behaviours.get(path);
    if (behave) behave(request, response, nth);
    else response.writeHead(200).end('ok');
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    received,
    to: (path: string) => received.filter((request) => request.path === path),
    /** Requests to this path must carry this secret's signature. */
    expectSecret: (path: string, secret: string) => void secrets.set(path, secret),
    behave: (path: string, behaviour: Behaviour) => void behaviours.set(path, behaviour),
    async stop() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections(); // pending requests would keep the server open
      await closed;
    },
  };
}

function findFaults({ method, headers }: IncomingMessage, body: Buffer, secret: string): string[] {
  const timestamp = String(headers['x-service-timestamp']);
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  const given = Buffer.from(String(headers['x-service-signature']).replace(/^sha256=/, ''), 'hex');
  const { event, ...envelope } = JSON.parse(body.toString()) as { event: string; timestamp: string; data: object };
  const { externalReference, pickupAddress, deliveryAddress } = envelope.data as Record<string, object>;
  const checks: Record<string, boolean> = {
    'is a POST of JSON': method === 'POST' && /^application\/json/.test(headers['content-type'] ?? ''),
    'signature is of the raw body': given.length === expected.length && timingSafeEqual(given, expected),
    'signature has its prefix': /^sha256=[0-9a-f]{64}$/.test(String(headers['x-service-signature'])),
    'timestamp is of now': Math.abs(Date.parse(timestamp) - Date.now()) < 60_000,
    'event is in its header': headers['x-service-event'] === event,
    'envelope is the whitelist': hasExactly({ event, ...envelope }, ['event', 'timestamp', 'data']),
    'data is the whitelist': hasExactly(envelope.data, DATA_FIELDS),
    'pickup address is the whitelist': hasExactly(pickupAddress, PLACE),
    'delivery address is the whitelist': hasExactly(deliveryAddress, ['recipientName', ...PLACE, 'phoneNumber']),
    'external reference is the whitelist': hasExactly(externalReference, ['platform', 'orderId', 'shopDomain']),
  };
  return Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : name));
}

const hasExactly = (object: object | undefined, names: string[]) =>
  JSON.stringify(Object.keys(object ?? {}).sort()) === JSON.stringify([...names].sort());

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;
