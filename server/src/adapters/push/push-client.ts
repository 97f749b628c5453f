import type { EndpointClient } from '../endpoint/endpoint-client.ts';
import { type BrowserKeys, encryptPayload } from './encrypt-payload.ts';
import { type VapidKey, vapidAuthorization } from './vapid.ts';

export interface PushSubscription extends BrowserKeys {
  endpoint: string;
}

export interface PushMessage {
  /** JSON for the app's service worker. */
  payload: object;
  /** How long the push service keeps it for a device that is offline. */
  ttlSeconds: number;
  /** A later message with the same topic replaces one that was not delivered yet: 32 characters at most. */
  topic: string;
}

/** `gone`: the subscription has ended and must be removed. `postponed`: worth a retry. A reason contains codes only. */
export type PushOutcome = { kind: 'accepted' | 'gone' } | { kind: 'refused' | 'postponed'; reason: string };

export interface PushClient {
  send(subscription: PushSubscription, message: PushMessage, now: Date): Promise<PushOutcome>;
}

/** Web push (RFC 8030) through the checked client: browsers choose the endpoints, so they are not trusted. */
export function createPushClient(client: Pick<EndpointClient, 'post'>, key: VapidKey, subject: string): PushClient {
  return {
    async send({ endpoint, ...keys }, { payload, ttlSeconds, topic }, now) {
      const { status, error } = await client.post({
        url: endpoint,
        headers: {
          authorization: vapidAuthorization(key, subject, endpoint, now),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(ttlSeconds),
          urgency: 'high', // wakes a phone that saves power
          topic,
        },
        body: encryptPayload(JSON.stringify(payload), keys),
      });
      return outcomeOf(status, error);
    },
  };
}

function outcomeOf(status: number | null, error: string | null): PushOutcome {
  if (status === null) return { kind: 'postponed', reason: error ?? 'no response' };
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const reason = `status ${status}`;
  return status === 429 || status >= 500 ? { kind: 'postponed', reason } : { kind: 'refused', reason };
}
