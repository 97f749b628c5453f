import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface WireRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string | undefined;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  type: string;
  body: string;
}

// Each connection serves one request, so that closing one affects no other. The client closes it: a server that closes
// before it has read the body cuts off its own response.
const agent = new Agent({ keepAlive: true, maxFreeSockets: 0 });
const PATIENCE_MS = 240_000;

/** Sends a request unchanged; fetch would normalise paths and headers. */
export function sendRaw(url: string, { method, path, headers = {}, body }: WireRequest): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  // Node would not frame the body of a GET by itself.
  const framed = body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const call = request({ agent, hostname, port, method, path, headers: framed }, (response) => {
      const { statusCode: status = 0, headers } = response;
      const answer = (body: string) => ({ status, headers, type: headers['content-type'] ?? '', body });
      text(response).then((body) => resolve(answer(body)), reject);
    });
    call.on('error', reject);
    call.setTimeout(PATIENCE_MS, () => call.destroy(new Error('no answer')));
    call.end(body);
  });
}

export interface HeldRequest {
  /** Sends the rest of the body; returns the status of the answer. */
  finish(): Promise<number>;
}

/** Sends the headers and the first byte of the body, and holds the rest back. Returns once the headers were read. */
export async function holdBody(
  url: string,
  { method, path, headers = {}, body = '{}' }: WireRequest,
): Promise<HeldRequest> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const bytes = Buffer.from(body);
  // The server sends "100 Continue" when it has read the headers.
  const own = {
    host: `${hostname}:${port}`,
    connection: 'close',
    expect: '100-continue',
    'content-length': bytes.length,
  };
  const lines = Object.entries({ ...headers, ...own }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(bytes.subarray(0, 1));

  let received = '';
  const closed = new Promise<void>((resolve, reject) => socket.on('close', resolve).on('error', reject));
  closed.catch(() => {}); // reported by finish()
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')));
  const readOrClosed = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += String(chunk);
      resolve();
    });
    socket.on('close', resolve);
  });
  await readOrClosed;
  return {
    async finish() {
      if (!socket.readableEnded) socket.write(bytes.subarray(1)); // otherwise the response has already arrived
      await closed;
      const status = /^HTTP\/1\.1 (\d{3})/m.exec(received.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, ''))?.[1];
      if (!status) throw new Error(`the connection ended without an answer: ${received.slice(0, 200)}`);
      return Number(status);
    },
  };
}

let addresses = 0;
/** A client address that was not used before, for a server that trusts this process as its proxy. */
export const freshAddress = (): Record<string, string> => {
  const n = addresses++;
  return { 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` };
};
