import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../network/client-network.ts';
import { refuseAsTooMany } from '../refusals/refusal.ts';

const MAX_CLIENTS = 100_000; // bounds the memory that an attacker with many addresses can use

const REFUSAL_DELAY_MS = 1_000; // on average; spread out, so that concurrent requests are not refused in one burst

export interface FailedAttempts {
  /**
   * Counts an attempt; null when the limit of this minute is reached. A caller that counts before the outcome is known,
   * so that concurrent attempts cannot exceed the limit, calls the returned function if the attempt succeeds.
   */
  take(address: string): (() => void) | null;
  /** How many attempts are left in this minute. */
  left(address: string): number;
  exhausted(address: string): boolean;
}

/**
 * Counts failed authentications per client (an IPv4 address or an IPv6 /64), in this process, so that guessing does not
 * cause a database look-up per guess. Account limits do not apply here: a caller without a valid key has no account.
 */
export function createFailedAttempts(perMinute: number, now: () => Date): FailedAttempts {
  const counts = new LRUCache<string, { minute: number; taken: number }>({ max: MAX_CLIENTS });
  const current = (address: string) => {
    const minute = Math.floor(now().getTime() / 60_000);
    const known = counts.get(networkOf(address));
    return known?.minute === minute ? known : { minute, taken: 0 };
  };
  const left = (address: string) => Math.max(0, perMinute - current(address).taken);
  return {
    take(address) {
      const count = current(address);
      if (count.taken >= perMinute) return null;
      count.taken++;
      counts.set(networkOf(address), count);
      return () => {
        count.taken--;
      };
    },
    left,
    exhausted: (address) => left(address) === 0,
  };
}

/**
 * Refuses a request from an address without attempts left, after a delay: a client with a thousand connections that
 * repeats every request as soon as it is refused would otherwise occupy the event loop.
 */
export async function refuseThrottled(): Promise<never> {
  await setTimeout(REFUSAL_DELAY_MS * (0.5 + Math.random()));
  return refuseAsTooMany('minute');
}
