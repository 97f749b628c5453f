import { readTextUpTo } from '../read-text-up-to.ts';
import { type InvoicePlatform, PlatformFailure, type PlatformStatus } from './invoice-platform.ts';

const ANSWER_MAX_BYTES = 256 * 1024;
const ID = /^[\w.:-]{1,200}$/;
/** Refusals that time may cure: time limits, too many requests, and a token that is being replaced. */
const TEMPORARY = new Set([401, 403, 408, 425, 429]);

export interface HttpsPlatformOptions {
  url: string;
  token: string;
  /** Of one request, response included. */
  timeoutMs?: number;
}

/**
 * A platform, or a gateway in front of one, with two requests: `POST /invoices` with the PDF and the number as
 * `Idempotency-Key`, answered with `{ "id": … }`; and `GET /invoices/ID/statuses`, answered with
 * `{ "statuses": [{ "id", "code", "at" }] }`.
 */
export function createHttpsPlatform({ url, token, timeoutMs = 30_000 }: HttpsPlatformOptions): InvoicePlatform {
  async function call(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<unknown> {
    const { status, text } = await send(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...init.headers },
      redirect: 'error', // the token must not go to another host
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (status >= 200 && status < 300) return parse(text);
    throw new PlatformFailure(`http_${status}`, status >= 400 && status < 500 && !TEMPORARY.has(status));
  }

  return {
    async deposit({ number, kind, pdf }) {
      const headers = { 'content-type': 'application/pdf', 'idempotency-key': number, 'x-document-kind': kind };
      const { id } = (await call('/invoices', { method: 'POST', headers, body: new Uint8Array(pdf) })) as {
        id?: unknown;
      };
      if (typeof id !== 'string' || !ID.test(id)) throw new PlatformFailure('unreadable_answer', false);
      return id;
    },
    async listStatuses(platformId) {
      const answer = await call(`/invoices/${encodeURIComponent(platformId)}/statuses`, { method: 'GET' });
      const { statuses } = answer as { statuses?: unknown };
      if (!Array.isArray(statuses)) throw new PlatformFailure('unreadable_answer', false);
      return statuses.map(readStatus);
    },
  };
}

function readStatus(value: unknown): PlatformStatus {
  const { id, code, at } = (value ?? {}) as Record<string, unknown>;
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  const isKnown = typeof id === 'string' && ID.test(id) && Number.isInteger(code) && !Number.isNaN(time);
  if (!isKnown || Number(code) < 200 || Number(code) > 299) throw new PlatformFailure('unreadable_answer', false);
  return { reference: id, code: Number(code), at: new Date(time) };
}

async function send(url: string, request: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, request);
    return { status: response.status, text: await readTextUpTo(response, ANSWER_MAX_BYTES) };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    throw new PlatformFailure(cause?.code ?? name, false);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
