/**
 * A merchant's program that creates orders: with the SDK, or by hand with the fault that its argument names. By hand it knows
 * the contract's rules: what it gets wrong is only its fault.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Navette } from '../../sdk/src/client.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';

export const CLIENT_MISTAKES = {
  'no-key': ['client-sends-keys', 'client-ships-once'],
  'new-key': [
    'client-after-lost-answer',
    'client-after-no-answer',
    'client-after-unavailable',
    'client-after-message-only',
  ],
  'one-key': ['client-one-key-per-order'],
  'gives-up': [
    'client-after-lost-answer',
    'client-after-no-answer',
    'client-after-unavailable',
    'client-after-message-only',
  ],
  'believes-400': ['client-after-message-only'],
  impatient: ['client-waits-after-429'],
  stubborn: ['client-not-after-refusal', 'client-not-after-conflict'],
  hasty: ['client-after-slow', 'client-ships-once'],
} as const;
type Mistake = keyof typeof CLIENT_MISTAKES;

const ORDERS = 8;
const { NAVETTE_URL: url = '', NAVETTE_API_KEY: apiKey = '', NAVETTE_CLIENT_ID: clientId = '' } = process.env;
const orderOf = (n: number) => shipmentRequest({ externalReference: { orderId: `order-${n}` } });

async function createWithSdk(n: number): Promise<void> {
  const idempotencyKey = { platform: 'custom', orderId: `order-${n}` };
  await new Navette({ url, apiKey, clientId }).shipments.create(orderOf(n), { idempotencyKey }).catch(() => {});
}

async function createByHand(n: number, mistake: Mistake | null): Promise<void> {
  const key = mistake === 'one-key' ? 'the-only-key' : randomUUID();
  for (let attempt = 1; attempt <= 4; attempt++) {
    const answer = await send(n, mistake === 'new-key' ? randomUUID() : key, mistake);
    if (answer?.ok || mistake === 'gives-up') return;
    const { error, errors, message } = (await answer?.json().catch(() => null)) ?? {};
    const isRefusal =
      answer?.status === 409 || errors || error || (mistake === 'believes-400' && message && answer?.status === 400);
    if (isRefusal && mistake !== 'stubborn') return;
    const reset = Number(answer?.headers.get('x-ratelimit-reset') ?? 0) * 1_000;
    await wait(mistake === 'impatient' ? 50 : Math.max(300, reset - Date.now() + 200));
  }
}

async function send(n: number, key: string, mistake: Mistake | null): Promise<Response | null> {
  const headers = { authorization: `Bearer ${apiKey}`, 'x-client-id': clientId, 'content-type': 'application/json' };
  const withKey = mistake === 'no-key' ? headers : { ...headers, 'x-idempotency-key': key };
  const call = (own: Record<string, string>, signal: AbortSignal | null) =>
    fetch(`${url}/pro/api/v1/shipping`, { method: 'POST', headers: own, body: JSON.stringify(orderOf(n)), signal });
  if (mistake !== 'hasty') return call(withKey, null).catch(() => null);
  const answer = await call(withKey, AbortSignal.timeout(4_000)).catch(({ name }) => name as string);
  return answer === 'TimeoutError'
    ? call({ ...headers, 'x-idempotency-key': randomUUID() }, null)
    : typeof answer === 'string'
      ? null
      : answer;
}

const [how = 'sdk'] = process.argv.slice(2);
if (import.meta.main) {
  const create =
    how === 'sdk' ? createWithSdk : (n: number) => createByHand(n, how === 'by-hand' ? null : (how as Mistake));
  for (let n = 0; n < ORDERS; n++) await create(n);
}
