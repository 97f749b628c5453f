import { LRUCache } from 'lru-cache';

const ADDRESSES = 100_000; // bounds the memory an attacker with many addresses can take

export interface FailedAttempts {
  count(address: string): void;
  /** How many more this minute bears. */
  left(address: string): number;
  exhausted(address: string): boolean;
}

/**
 * Failed authentications per client address, in this process: it keeps a guesser from making the database look up
 * key after key. Apart from the account's limits, which a caller without a key has none of.
 */
export function createFailedAttempts(perMinute: number, now: () => Date): FailedAttempts {
  const counts = new LRUCache<string, { minute: number; failures: number }>({ max: ADDRESSES });
  const currentMinute = () => Math.floor(now().getTime() / 60_000);
  const left = (address: string) => {
    const known = counts.get(address);
    return Math.max(0, perMinute - (known?.minute === currentMinute() ? known.failures : 0));
  };
  return {
    count(address) {
      const minute = currentMinute();
      const known = counts.get(address);
      counts.set(address, { minute, failures: known?.minute === minute ? known.failures + 1 : 1 });
    },
    left,
    exhausted: (address) => left(address) === 0,
  };
}
