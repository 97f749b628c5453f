import { createHmac } from 'node:crypto';
import type { WebhookEvent } from '@navette/contract';
import { type Fault, signingSecret, signingTime } from './webhook-faults.ts';

/** The headers of one attempt. Each attempt has its own timestamp, and so its own signature. */
export function signedHeaders(
  secret: string,
  event: WebhookEvent,
  at: Date,
  body: Buffer,
  fault: Fault = null,
): Record<string, string> {
  const timestamp = signingTime(at, fault).toISOString();
  const key = signingSecret(secret, fault);
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Navette-Webhooks/1.0',
    'X-Service-Event': event,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': `sha256=${createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')}`,
  };
}
