import { Agent, request } from 'node:http';
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

let addresses = 0;
/** A client address that was not used before, for a server that trusts this process as its proxy. */
export const freshAddress = (): Record<string, string> => {
  const n = addresses++;
  return { 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` };
};
