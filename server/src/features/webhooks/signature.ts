import { createHmac } from 'node:crypto';
import type { WebhookEvent } from '@navette/contract';

/** The headers of one attempt. Each attempt has its own timestamp, and so its own signature. */
export function signedHeaders(secret: string, event: WebhookEvent, at: Date, body: Buffer): Record<string, string> {
  const timestamp = at.toISOString();
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Navette-Webhooks/1.0',
    'X-Service-Event': event,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`,
  };
}
