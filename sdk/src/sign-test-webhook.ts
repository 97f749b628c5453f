import type { WebhookEventName } from './generated/api-types.ts';
import { signBody } from './sign-body.ts';
import type { WebhookData, WebhookEvent } from './webhook-event.ts';

export interface TestWebhook {
  secret: string;
  /** `shipping.delivered` by default. */
  event?: WebhookEventName;
  /** Overrides fields of the example shipment. */
  data?: Partial<WebhookData>;
  /** When the change happened. */
  timestamp?: Date;
  /** When the request is signed; an old time gives a request that receivers refuse. */
  signedAt?: Date;
}

/** A request as the service sends it, for tests of a receiver: `fetch(url, { method: 'POST', headers, body })`. */
export async function signTestWebhook({
  secret,
  event = 'shipping.delivered',
  data,
  timestamp = new Date(),
  signedAt = new Date(),
}: TestWebhook): Promise<{ headers: Record<string, string>; body: string; event: WebhookEvent }> {
  const at = timestamp.toISOString();
  const place = { street: '8 avenue de l’Opéra', city: 'Paris', postalCode: '75001', country: 'France' };
  const signed: WebhookEvent = {
    event,
    timestamp: at,
    data: {
      id: crypto.randomUUID(),
      professionalId: crypto.randomUUID(),
      referenceNumber: '5N4MPK3S3M',
      status: event.slice('shipping.'.length) as WebhookData['status'],
      price: 9.9,
      externalReference: { platform: 'api', orderId: '2041', shopDomain: null },
      createdAt: at,
      updatedAt: at,
      pickupAddress: { ...place, street: '12 rue de Rivoli' },
      deliveryAddress: { recipientName: 'Camille Durand', ...place, phoneNumber: '+33612345678' },
      deliverer: null,
      ...data,
    },
  };
  const body = JSON.stringify(signed);
  const sentAt = signedAt.toISOString();
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-service-event': event,
    'x-service-timestamp': sentAt,
    'x-service-signature': await signBody(secret, sentAt, body),
  };
  return { headers, body, event: signed };
}
