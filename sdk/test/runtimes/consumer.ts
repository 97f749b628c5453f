// Compiled by every supported version of TypeScript.
import { type CreatedShipment, Navette, NavetteError, type ShipmentRequest } from '@navette/sdk';
import { signTestWebhook } from '@navette/sdk/testing';
import { receiveWebhooks, verifyWebhook } from '@navette/sdk/webhooks';

const navette = new Navette({ url: 'https://api.example', apiKey: 'key', clientId: 'client' });

export async function ship(request: ShipmentRequest, orderId: string): Promise<CreatedShipment> {
  try {
    return await navette.shipments.create(request, { idempotencyKey: { orderId } });
  } catch (error) {
    if (error instanceof NavetteError && error.is('INSUFFICIENT_BALANCE'))
      throw new Error(`${error.fields.requiredAmount} EUR are needed`, { cause: error });
    throw error;
  }
}

export async function references(): Promise<string[]> {
  const found: string[] = [];
  for await (const { referenceNumber } of navette.shipments.list({ status: 'created' })) found.push(referenceNumber);
  return found;
}

export const webhooks = receiveWebhooks({
  secrets: 'secret',
  handlers: { 'shipping.delivered': ({ data }) => data.externalReference.orderId satisfies string | null },
  onError(error, event) {
    throw new Error(event?.data.id, { cause: error });
  },
});

export async function selfTest(): Promise<string> {
  const { headers, body } = await signTestWebhook({ secret: 'secret' });
  const { event } = await verifyWebhook({ headers, rawBody: body }, { secrets: 'secret' });
  // @ts-expect-error: no such event
  if (event === 'shipping.vanished') return '';
  return event;
}
