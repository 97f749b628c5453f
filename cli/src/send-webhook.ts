import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { signBody } from '../../sdk/src/sign-body.ts';

/** The response of a receiver; `status` is null when there was none. */
export interface Reply {
  status: number | null;
  /** Why there was no response, such as ECONNREFUSED or TIMEOUT. */
  error: string | null;
  headers: Record<string, string | string[] | undefined>;
  /** The beginning of the response. */
  text: string;
  durationMs: number;
}

export interface WebhookRequest {
  url: URL;
  method?: string;
  headers: Record<string, string>;
  body: Buffer;
  timeoutMs: number;
  /** Closes the connection once the request was sent, without reading the response. */
  hangsUp?: boolean;
}

const MOST_KEPT = 4_096; // bytes of a response

type HeaderName = 'content-type' | 'user-agent' | 'X-Service-Event' | 'X-Service-Timestamp' | 'X-Service-Signature';

/** The headers with which the service sends an event, of an attempt made now. */
export async function webhookHeaders(
  secret: string,
  event: string,
  body: string | Uint8Array,
  at = new Date(),
): Promise<Record<HeaderName, string>> {
  const timestamp = at.toISOString();
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Navette-Webhooks/1.0',
    'X-Service-Event': event,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': await signBody(secret, timestamp, body),
  };
}

/** Sends these bytes and headers and no others, which `fetch` would add. Follows no redirect. Never throws. */
export function sendWebhook({
  url,
  method = 'POST',
  headers,
  body,
  timeoutMs,
  hangsUp,
}: WebhookRequest): Promise<Reply> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const none = { status: null, headers: {}, text: '' };
    const finish = (reply: Omit<Reply, 'durationMs'>) => {
      clearTimeout(timer);
      resolve({ ...reply, durationMs: performance.now() - startedAt });
    };
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const length = body.length > 0 || method === 'POST' ? { 'content-length': String(body.length) } : {};
    const request = send(url, { method, headers: { ...headers, ...length } }, (response) => {
      const parts: Buffer[] = [];
      const reply = () => ({
        status: response.statusCode ?? null,
        error: null,
        headers: response.headers,
        text: Buffer.concat(parts).subarray(0, MOST_KEPT).toString(),
      });
      response.on('data', (part: Buffer) => void (parts.length < 16 && parts.push(part)));
      response.on('end', () => finish(reply()));
      response.on('error', () => finish(reply()));
    });
    const timer = setTimeout(() => {
      finish({ ...none, error: 'TIMEOUT' });
      request.destroy();
    }, timeoutMs);
    request.on('error', (error: NodeJS.ErrnoException) => finish({ ...none, error: error.code ?? error.message }));
    request.end(body, () => {
      if (hangsUp) setTimeout(() => request.destroy(), 50); // the request has arrived; its response is lost
    });
  });
}

export const isAccepted = ({ status }: Reply): boolean => status !== null && status >= 200 && status < 300;
