import { NavetteError } from './errors.ts';
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

const encoder = new TextEncoder();

/** Returns the event when one of the secrets has signed the request recently; throws a NavetteError otherwise. */
export async function verifyWebhook(
  request: Request | RawRequest,
  { secrets, toleranceMs = 300_000, now = Date.now }: VerifyOptions,
): Promise<WebhookEvent> {
  const body = await bytesOf(request);
  const timestamp = header(request.headers, 'x-service-timestamp');
  const signature = header(request.headers, 'x-service-signature');
  if (!timestamp || !signature) throw new NavetteError('webhook_unsigned', 'The signature headers are missing.');
  const given = fromHex(signature.replace(/^sha256=/, ''));
  const prefix = encoder.encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);

  let isSigned = false;
  for (const secret of [secrets].flat()) {
    // Every secret is tried, and verify() compares in constant time: the duration reveals nothing.
    if (await crypto.subtle.verify('HMAC', await keyOf(secret), given, signed)) isSigned = true;
  }
  if (!isSigned) throw new NavetteError('webhook_signature', 'No secret has made this signature for this body.');
  if (!(Math.abs(now() - Date.parse(timestamp)) <= toleranceMs)) {
    throw new NavetteError('webhook_expired', `The signature is of ${timestamp}, too far from the time here.`);
  }
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch (cause) {
    throw new NavetteError('webhook_body', 'The body is not JSON.', { cause });
  }
}

export function keyOf(secret: string): Promise<CryptoKey> {
  if (!secret) throw new TypeError('Navette: a webhook secret is empty');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign', 'verify']);
}

async function bytesOf(request: Request | RawRequest): Promise<Uint8Array> {
  const body: unknown = 'rawBody' in request ? request.rawBody : await request.arrayBuffer();
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('Navette: the raw body is needed, but a body parser has already parsed it');
}

function header(headers: Headers | NodeHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? undefined;
}

/** Empty when it is no hexadecimal text, which matches no signature. */
function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const isHex = /^([0-9a-f]{2})*$/i.test(text);
  return Uint8Array.from(isHex ? (text.match(/../g) ?? []) : [], (pair) => Number.parseInt(pair, 16));
}
