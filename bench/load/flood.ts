/**
 * One caller's flood, in its own process so that it does not slow down the measurement:
 * `node bench/load/flood.ts '{"kind": …}'`. Runs until it is stopped, at most for a minute.
 */
import { Agent, request } from 'node:http';
import { BASE_PATH, DASHBOARD_BASE_PATH, DRIVER_SOCKET_PATH } from '@navette/contract';
import { io } from 'socket.io-client';

export type FloodKind = 'documents' | 'hashing' | 'sockets' | 'metrics' | 'label-exports';

export interface FloodOrder {
  kind: FloodKind;
  url: string;
  key: string;
  clientId: string;
  driverToken: string;
  shipmentIds: string[];
}

const LONGEST_MS = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });

const order = JSON.parse(process.argv[2] ?? '{}') as FloodOrder;
const until = Date.now() + LONGEST_MS;
const merchant = {
  authorization: `Bearer ${order.key}`,
  'x-client-id': order.clientId,
  'content-type': 'application/json',
};

/** The status of the response; its body is read and discarded. */
function send(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<number> {
  return new Promise((resolve) => {
    const call = request(new URL(path, order.url), { agent, method, headers }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', () => resolve(0));
    call.end(body);
  });
}

/** Repeats the work with this concurrency. */
const keepSending = (atOnce: number, next: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (Date.now() < until) await next();
    }),
  );

const FLOODS: Record<FloodKind, () => Promise<unknown>> = {
  documents: () => keepSending(10, () => send('GET', `${BASE_PATH}/shipping?limit=100`, merchant)),

  hashing: async () => {
    const json = { 'content-type': 'application/json' };
    const credentials = JSON.stringify({ email: 'nobody@example.org', password: 'une phrase quelconque' });
    const reset = JSON.stringify({ token: `navette_reset_${'x'.repeat(43)}`, password: 'une phrase quelconque' });
    await Promise.all([
      keepSending(600, () => send('POST', `${DASHBOARD_BASE_PATH}/session`, json, credentials)),
      keepSending(800, () => send('PUT', `${DASHBOARD_BASE_PATH}/password-reset`, json, reset)),
    ]);
  },

  sockets: async () => {
    const options = {
      path: DRIVER_SOCKET_PATH,
      auth: { token: order.driverToken },
      transports: ['websocket'],
      forceNew: true,
    };
    for (let i = 0; i < 100; i++) io(order.url, options);
    const socket = io(order.url, options);
    while (Date.now() < until) {
      for (let i = 0; i < 1_000; i++) {
        socket.emit('sendPosition', { latitude: 48.8556, longitude: 2.3601 });
        socket.emit('noSuchCommand', {});
      }
      await new Promise((next) => setTimeout(next, 25));
    }
  },

  metrics: () =>
    Promise.all(['/metrics', '/healthz', '/readyz'].map((path) => keepSending(10, () => send('GET', path)))),

  'label-exports': () => {
    const body = JSON.stringify({ scope: 'selected', shippingIds: order.shipmentIds });
    return keepSending(8, () => send('POST', `${BASE_PATH}/shipping/pdf/export`, merchant, body));
  },
};

await FLOODS[order.kind]();
process.exit(0);
