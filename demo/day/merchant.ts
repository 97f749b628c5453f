import { BASE_PATH, type ShipmentRequest, WEBHOOK_EVENTS, type WebhookEvent } from '@navette/contract';
import { type Answer, type CallOptions, callApi } from '../../server/test/call-api.ts';
import type { LeakDetector } from './leak-detector.ts';
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

/** A merchant's client: it has a key, retries after a failure, and alternates between the api processes. */
export function openShop(
  identity: MerchantIdentity,
  urls: string[],
  patience: Patience,
  { record }: LeakDetector,
): Merchant {
  const call = (method: string, path: string, options: CallOptions = {}) =>
    untilAnswered(async (attempt) => {
      const url = urls[attempt % urls.length] as string;
      const answer = await callApi(`${url}${BASE_PATH}${path}`, identity, method, options);
      record(JSON.stringify(answer.body));
      if (isInternalError(answer)) throw new Error('the service had an internal error');
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

/** The contract answers a failed creation with 400, with a message and without a slug. It may have succeeded. */
const isInternalError = ({ status, body }: Answer) => status === 400 && body.message?.startsWith('Erreur interne');

/** Subscribes a path of the receiver, which then checks the signatures. */
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
