import { setTimeout } from 'node:timers/promises';
import { BASE_PATH } from '@navette/contract';
import { callApi } from './call-api.ts';
import type { Merchant } from './create-merchant.ts';
import { shipmentRequest } from './shipment-request.ts';

const RETRY_MS = 100;

export interface Shipping {
  /** Ids of the confirmed shipments. */
  created: string[];
  /** Answers with 503. */
  readonly refused: number;
  /** The longest time without a confirmation. */
  readonly longestPauseMs: number;
  /** Rejects at the first unexpected answer. */
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * A merchant's system that orders one shipment after the other, `atOnce` at a time, each until it is confirmed. Any answer
 * but a confirmation or a 503 is an error. No driver is searched for the shipments.
 */
export function keepShipping(url: string, shop: Merchant, atOnce = 1): Shipping {
  const created: string[] = [];
  const scheduled = { scheduledDate: new Date(Date.now() + 2 * 86_400_000).toISOString(), timeSlot: '14h-16h' };
  let refused = 0;
  let longestPauseMs = 0;
  let confirmedAt = performance.now();
  let next = 0;
  let isOver = false;
  const ordering = Array.from({ length: atOnce }, async () => {
    while (!isOver) await order(next++);
  });
  const ended = Promise.all(ordering);
  ended.catch(() => {}); // thrown by `stop` as well
  return {
    created,
    ended,
    get refused() {
      return refused;
    },
    get longestPauseMs() {
      return longestPauseMs;
    },
    async stop() {
      isOver = true;
      await ended;
    },
  };

  async function order(number: number): Promise<void> {
    const headers = { 'x-idempotency-key': `order ${number} of ${shop.id}` };
    for (;;) {
      const address = `${url}${BASE_PATH}/shipping`;
      const { status, body } = await callApi(address, shop, 'POST', { body: shipmentRequest(scheduled), headers });
      if (status === 201 || status === 200) return confirm(body.shipping._id);
      if (status !== 503 || body.success !== false) throw new Error(`answered ${status} ${JSON.stringify(body)}`);
      refused++;
      await setTimeout(RETRY_MS);
    }
  }

  function confirm(id: string): void {
    created.push(id);
    longestPauseMs = Math.max(longestPauseMs, performance.now() - confirmedAt);
    confirmedAt = performance.now();
  }
}
