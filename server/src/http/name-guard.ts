import { createFailedAttempts } from './failed-attempts.ts';
import { refuseAsTooMany } from './refusal.ts';

/** Finds what a secret name stands for; an address that gave too many wrong ones is refused for the rest of the minute. */
export type NameGuard = <T>(address: string, find: () => Promise<T | null>) => Promise<T | null>;

interface Asking {
  requests: number;
  underWay: number;
  waiting: (() => void)[];
}

/**
 * Keeps names from being guessed. An address has as many look-ups under way as it may still give wrong names: a
 * thousand guesses at once are a thousand, yet whoever asks for a hundred right names at once gets them all, some a few
 * milliseconds later.
 */
export function createNameGuard(wrongPerMinute: number, now: () => Date): NameGuard {
  const wrongNames = createFailedAttempts(wrongPerMinute, now);
  const askingNow = new Map<string, Asking>(); // those with open requests

  async function takeTurn(address: string, own: Asking): Promise<void> {
    for (let left = wrongNames.left(address); own.underWay >= left; left = wrongNames.left(address)) {
      if (left === 0) refuseAsTooMany('minute');
      await new Promise<void>((resolve) => own.waiting.push(resolve));
    }
    own.underWay++;
  }

  function endTurn(address: string, own: Asking): void {
    own.underWay--;
    const left = wrongNames.left(address);
    for (const proceed of own.waiting.splice(0, left === 0 ? Infinity : left - own.underWay)) proceed();
  }

  return async (address, find) => {
    const own = askingNow.get(address) ?? { requests: 0, underWay: 0, waiting: [] };
    askingNow.set(address, own);
    own.requests++;
    try {
      await takeTurn(address, own);
      try {
        const found = await find();
        if (found === null) wrongNames.count(address);
        return found;
      } finally {
        endTurn(address, own);
      }
    } finally {
      own.requests--;
      if (own.requests === 0) askingNow.delete(address);
    }
  };
}
