import { toHex } from './hex.ts';
import { keyOf } from './verify-webhook.ts';

/** The value of X-Service-Signature for a body sent at this time. */
export async function signBody(secret: string, timestamp: string, body: string | Uint8Array): Promise<string> {
  const signed = await new Blob([`${timestamp}.`, body as Uint8Array<ArrayBuffer>]).arrayBuffer();
  return `sha256=${toHex(await crypto.subtle.sign('HMAC', await keyOf(secret), signed))}`;
}
