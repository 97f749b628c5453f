import { networkOf } from '../network/client-network.ts';
import { refuseAsTooMany } from '../refusals/refusal.ts';
import { createFailedAttempts } from './failed-attempts.ts';

/** Runs a look-up by a secret name. An address with too many failed look-ups is refused for the rest of the minute. */
export type GuessThrottle = <T>(address: string, find: () => Promise<T | null>) => Promise<T | null>;

interface Client {
  requests: number;
  running: number;
  waiting: (() => void)[];
}

/**
 * Prevents guessing of secret names. An address may run as many look-ups at once as it has failures left: a thousand
 * concurrent guesses all count, while a hundred concurrent look-ups of valid names all succeed, some a few milliseconds
 * later.
 */
export function createGuessThrottle(failuresPerMinute: number, now: () => Date): GuessThrottle {
  const failures = createFailedAttempts(failuresPerMinute, now);
  const clients = new Map<string, Client>(); // those with open requests

  async function acquireTurn(address: string, client: Client): Promise<void> {
    for (let left = failures.left(address); client.running >= left; left = failures.left(address)) {
      if (left === 0) refuseAsTooMany('minute');
      await new Promise<void>((resolve) => client.waiting.push(resolve));
    }
    client.running++;
  }

  function releaseTurn(address: string, client: Client): void {
    client.running--;
    const left = failures.left(address);
    for (const proceed of client.waiting.splice(0, left === 0 ? Infinity : left - client.running)) proceed();
  }

  return async (clientAddress, find) => {
    const address = networkOf(clientAddress);
    const client = clients.get(address) ?? { requests: 0, running: 0, waiting: [] };
    clients.set(address, client);
    client.requests++;
    try {
      await acquireTurn(address, client);
      try {
        const found = await find();
        if (found === null) failures.take(address);
        return found;
      } finally {
        releaseTurn(address, client);
      }
    } finally {
      client.requests--;
      if (client.requests === 0) clients.delete(address);
    }
  };
}
