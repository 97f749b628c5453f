import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import type { TestServer } from './test-server.ts';

export interface HeldRequest {
  /** Sends the rest of the body and returns the response. */
  finish: () => Promise<{ status: number; body: unknown }>;
}

/** Sends the headers and the first byte of the body, and returns once the server waits for the rest. */
export async function holdBody(
  server: Pick<TestServer, 'app' | 'url'>,
  method: string,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: unknown },
): Promise<HeldRequest> {
  const payload = JSON.stringify(body);
  const call = request(`${server.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(payload)),
      connection: 'close',
      ...headers,
    },
  });
  onTestFinished(() => void call.destroy()); // a failed test must not keep the server from stopping
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => {}); // reported by `finish`, if it is called
  const arrived = once(server.app.server, 'request') as Promise<[IncomingMessage]>;
  call.write(payload.slice(0, 1));
  const [incoming] = await arrived;
  await eventually(() => {
    if (incoming.listenerCount('data') === 0) throw new Error('the server does not wait for the body');
  });
  return {
    async finish() {
      call.end(payload.slice(1));
      const [response] = await answered;
      return { status: response.statusCode ?? 0, body: await json(response) };
    },
  };
}
