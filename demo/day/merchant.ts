import { BASE_PATH, type ShipmentRequest, WEBHOOK_EVENTS, type WebhookEvent } from '@navette/contract';
import { type CallOptions, callApi } from '../../server/test/call-api.ts';
import type { Eavesdropper } from './eavesdropper.ts';
import type { Place } from './paris.ts';
import { type Patience, type PatientAnswer, untilAnswered } from './patience.ts';

export interface Merchant {
  name: string;
  id: string;
  key: string;
  clientId: string;
  place: Place;
  webhooks: { path: string; events: readonly WebhookEvent[]; isActive: boolean }[];
  call(method: string, path: string, options?: CallOptions): Promise<PatientAnswer>;
  create(request: ShipmentRequest, idempotencyKey: string): Promise<PatientAnswer>;
  cancel(id: string): Promise<PatientAnswer>;
}

export interface MerchantIdentity {
  name: string;
  id: string;
  key: string;
  clientId: string;
  place: Place;
}

/** A shop's system: it knows its key, asks again after a failure, and takes either api process. */
export function openShop(
  identity: MerchantIdentity,
  urls: string[],
  patience: Patience,
  { hear }: Eavesdropper,
): Merchant {
  const call = (method: string, path: string, options: CallOptions = {}) =>
    untilAnswered(async (attempt) => {
      const url = urls[attempt % urls.length] as string;
      const answer = await callApi(`${url}${BASE_PATH}${path}`, identity, method, options);
      hear(JSON.stringify(answer.body));
      return answer;
    }, patience);
  return {
    ...identity,
    webhooks: [],
    call,
    create: (body, key) => call('POST', '/shipping', { body, headers: { 'x-idempotency-key': key } }),
    cancel: (id) => call('PUT', `/shipping/${id}/cancel`, { body: { reason: 'Le client a changé d’avis' } }),
  };
}

/** At this path of the receiver, which from then on checks the signatures. */
export async function subscribe(
  merchant: Merchant,
  receiver: { url: string; expectSecret(path: string, secret: string): void },
  path: string,
  { events = WEBHOOK_EVENTS, isActive = true }: { events?: readonly WebhookEvent[]; isActive?: boolean } = {},
): Promise<void> {
  const body = { url: `${receiver.url}${path}`, events: [...events], isActive };
  const answer = await merchant.call('POST', '/webhooks', { body });
  if (answer.status !== 201) throw new Error(`webhook refused: ${JSON.stringify(answer.body)}`);
  receiver.expectSecret(path, answer.body.webhook.secret);
  merchant.webhooks.push({ path, events, isActive });
}
