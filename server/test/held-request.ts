import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { TestServer } from './test-server.ts';

export interface HeldRequest {
  /** Sends the rest of the body and returns the response. */
  finish: () => Promise<{ status: number; body: unknown }>;
}

/** Sends the headers and the first byte of the body, and returns once the server waits for the rest or has refused. */
export async function holdBody(
  server: Pick<TestServer, 'app' | 'url'>,
  method: string,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: unknown },
): Promise<HeldRequest> {
  const payload = JSON.stringify(body);
  const id = randomUUID();
  const call = request(`${server.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(payload)),
      connection: 'close',
      ...headers,
      'x-request-id': id,
    },
  });
  onTestFinished(() => void call.destroy()); // a failed test must not keep the server from stopping
  let refused = false;
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  answered.then(
    () => {
      refused = true;
    },
    () => {}, // reported by `finish`, if it is called
  );
  const arrived = arrivalOf(server, id);
  call.write(payload.slice(0, 1));
  await Promise.race([answered, arrived.then(waitsForBody)]);
  return {
    async finish() {
      if (!refused) call.end(payload.slice(1));
      const [response] = await answered;
      return { status: response.statusCode ?? 0, body: await json(response) };
    },
  };
}

const arrivalOf = ({ app }: Pick<TestServer, 'app'>, id: string): Promise<IncomingMessage> =>
  new Promise((resolve) => {
    const look = (incoming: IncomingMessage) => {
      if (incoming.headers['x-request-id'] !== id) return;
      app.server.off('request', look);
      resolve(incoming);
    };
    app.server.on('request', look);
  });

const waitsForBody = (incoming: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    if (incoming.listenerCount('data') > 0) resolve();
    else incoming.on('newListener', (event) => event === 'data' && resolve());
  });
