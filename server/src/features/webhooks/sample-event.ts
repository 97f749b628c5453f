import type { WebhookEvent } from '@navette/contract';
import type { EndpointAnswer, EndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import { signedHeaders } from './signature.ts';

const ZERO_ID = '00000000-0000-0000-0000-000000000000';

export interface Sample extends EndpointAnswer {
  event: WebhookEvent;
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends one signed test request. It is not logged as a delivery and never retried. Its event type is one of the
 * contract's; its shipment cannot exist: every id is zero and the reference is TEST.
 */
export async function sendSample(
  client: EndpointClient,
  { url, secret, event }: { url: string; secret: string; event: WebhookEvent },
  now: Date,
): Promise<Sample> {
  const body = JSON.stringify(sampleEvent(event, now));
  const bytes = Buffer.from(body);
  const headers = signedHeaders(secret, event, now, bytes);
  return { event, headers, body, ...(await client.post({ url, headers, body: bytes })) };
}

function sampleEvent(event: WebhookEvent, now: Date) {
  const at = now.toISOString();
  const place = { street: '1 rue de l’Essai', city: 'Paris', postalCode: '75001', country: 'France' };
  return {
    event,
    timestamp: at,
    data: {
      id: ZERO_ID,
      professionalId: ZERO_ID,
      referenceNumber: 'TEST',
      status: event.replace('shipping.', ''),
      price: 0,
      externalReference: { platform: 'api', orderId: null, shopDomain: null },
      createdAt: at,
      updatedAt: at,
      pickupAddress: place,
      deliveryAddress: { recipientName: 'Essai', ...place, phoneNumber: '+33100000000' },
      deliverer: null,
    },
  };
}
