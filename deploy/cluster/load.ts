import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { BASE_PATH, type ShipmentRequest } from '../../contract/src/index.ts';
import type { Merchant } from '../../server/test/create-merchant.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';

const CLIENT_TIMEOUT_MS = 15_000;
const RETRY_AFTER_MS = 500;
const TWO_DAYS_MS = 2 * 86_400_000;

let createdSoFar = 0;

/** One shipment that a merchant's system wants, and what it was answered. */
export interface Order {
  key: string;
  recipient: { phoneNumber: string; email: string };
  /** Every tenth order is express: its recipient gets an SMS and an e-mail at once. The others are scheduled. */
  isExpress: boolean;
  id?: string;
  /** From the first try to the answer. */
  ms?: number;
  /** Statuses of the failed tries; 0: no response. */
  failures: number[];
}

export interface Load {
  orders: Order[];
  /** Times (`performance.now()`) of every 201 or 200. */
  answeredAt: number[];
  /** Resolves when every order was answered. */
  done: Promise<void>;
}

/**
 * Creates shipments at this rate, whatever the answers (an open loop). Each is retried with its idempotency key until it
 * is answered, as merchants are asked to do.
 */
export function startLoad(apiUrl: string, merchants: Merchant[], perSecond: number, seconds: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  const orders: Order[] = [];
  const answeredAt: number[] = [];
  const slot = { scheduledDate: new Date(Date.now() + TWO_DAYS_MS).toISOString(), timeSlot: '14h-16h' };
  const began = performance.now();

  async function create(index: number): Promise<void> {
    const serial = String(createdSoFar++).padStart(6, '0'); // no two orders have the same recipient
    const recipient = { phoneNumber: `+33612${serial}`, email: `r${serial}@example.org` };
    const order: Order = {
      key: randomUUID(),
      recipient,
      isExpress: Math.floor(index / 10) % 10 === index % 10,
      failures: [],
    };
    orders.push(order);
    const merchant = merchants[index % merchants.length] as Merchant;
    const deliveryAddress = { ...shipmentRequest().deliveryAddress, ...recipient };
    const body = shipmentRequest({ deliveryAddress, ...(order.isExpress ? {} : slot) });
    const started = performance.now();
    for (;;) {
      const { status, id } = await post(agent, apiUrl, merchant, order.key, body);
      if (id) {
        order.id = id;
        order.ms = performance.now() - started;
        answeredAt.push(performance.now());
        return;
      }
      order.failures.push(status);
      await setTimeout(RETRY_AFTER_MS);
    }
  }

  async function createAll(): Promise<void> {
    const creating: Promise<void>[] = [];
    while (creating.length < perSecond * seconds) {
      const due = Math.min(perSecond * seconds, ((performance.now() - began) / 1000) * perSecond);
      while (creating.length < due) creating.push(create(creating.length));
      await setTimeout(5);
    }
    await Promise.all(creating);
    agent.destroy();
  }

  return { orders, answeredAt, done: createAll() };
}

function post(
  agent: Agent,
  apiUrl: string,
  { key, clientId }: Merchant,
  idempotencyKey: string,
  body: ShipmentRequest,
) {
  return new Promise<{ status: number; id?: string }>((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'x-client-id': clientId,
      'x-idempotency-key': idempotencyKey,
      'content-type': 'application/json',
    };
    const options = { agent, method: 'POST', headers, timeout: CLIENT_TIMEOUT_MS };
    const call = request(`${apiUrl}${BASE_PATH}/shipping`, options, (response) => {
      const status = response.statusCode ?? 0;
      text(response).then(
        (json) =>
          resolve(status === 201 || status === 200 ? { status, id: JSON.parse(json).shipping._id } : { status }),
        () => resolve({ status: 0 }),
      );
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve({ status: 0 }));
    call.end(JSON.stringify(body));
  });
}

/** The longest time without a success, in seconds. */
export function longestGap(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const gaps = sorted.slice(1).map((time, i) => time - (sorted[i] as number));
  return Math.max(0, ...gaps) / 1000;
}
