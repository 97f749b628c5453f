import { NavetteError } from './errors.ts';
import { fromHex } from './hex.ts';
import type { WebhookEvent } from './webhook-event.ts';

type NodeHeaders = Record<string, string | string[] | undefined>;

export interface RawRequest {
  headers: Headers | NodeHeaders;
  /** The body as received. A body that was parsed and serialised again has another signature. */
  rawBody: string | Uint8Array | ArrayBuffer;
}

export interface VerifyOptions {
  /** One secret, or several while a secret is being replaced. */
  secrets: string | readonly string[];
  /** How far the signature's time may differ from the clock here. Five minutes by default. */
  toleranceMs?: number;
  now?: () => number;
}

/** Returns the event when one of the secrets has signed the request recently; throws a NavetteError otherwise. */
export async function verifyWebhook(
  request: Request | RawRequest,
  { secrets, toleranceMs = 300_000, now = Date.now }: VerifyOptions,
): Promise<WebhookEvent> {
  const body = 'rawBody' in request ? request.rawBody : await request.arrayBuffer();
  if (typeof body !== 'string' && !(body instanceof ArrayBuffer) && !ArrayBuffer.isView(body)) {
    throw new TypeError('Navette: the raw body is needed, but a body parser has already parsed it');
  }
  const timestamp = header(request.headers, 'x-service-timestamp');
  const signature = header(request.headers, 'x-service-signature');
  if (!timestamp || !signature) throw new NavetteError('webhook_unsigned', 'The signature headers are missing.');
  const [, hex = ''] = /^sha256=([0-9a-f]{64})$/.exec(signature) ?? [];
  const signed = await new Blob([`${timestamp}.`, body as ArrayBuffer]).arrayBuffer();

  let isSigned = false;
  for (const secret of [secrets].flat()) {
    // Every secret is tried, and verify() compares in constant time: the duration reveals nothing.
    if (await crypto.subtle.verify('HMAC', await keyOf(secret), fromHex(hex), signed)) isSigned = true;
  }
  if (!isSigned) throw new NavetteError('webhook_signature', 'No secret has made this signature for this body.');
  if (!(Math.abs(now() - Date.parse(timestamp)) <= toleranceMs)) {
    throw new NavetteError('webhook_expired', `The signature is of ${timestamp}, too far from the time here.`);
  }
  try {
    return JSON.parse(await new Blob([body as ArrayBuffer]).text()) as WebhookEvent;
  } catch (cause) {
    throw new NavetteError('webhook_body', 'The body is not JSON.', { cause });
  }
}

export function keyOf(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  if (!secret) throw new TypeError('Navette: a webhook secret is empty');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign', 'verify']);
}

function header(headers: Headers | NodeHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? undefined;
}
