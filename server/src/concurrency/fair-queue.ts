export interface FairQueueOptions {
  /** How many tasks run at the same time. */
  maxRunning: number;
  /** How many callers may wait, and how many tasks each of them may have waiting. */
  maxCallers: number;
  maxPerCaller: number;
  /** Throws the refusal for a task that exceeds these limits. */
  refuse: () => never;
}

/** Runs a task when it is its caller's turn. */
export type FairQueue = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

/**
 * Limits concurrency with one queue per caller, served in rotation: a task waits for at most one task of each other
 * caller, however many tasks they have queued.
 */
export function createFairQueue({ maxRunning, maxCallers, maxPerCaller, refuse }: FairQueueOptions): FairQueue {
  const waiting = new Map<string, (() => void)[]>(); // in order of turns
  let running = 0;

  function startNext(): void {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    const [caller, starts] = next;
    const start = starts.shift();
    waiting.delete(caller);
    if (starts.length > 0) waiting.set(caller, starts);
    start?.();
  }

  async function waitForTurn(caller: string): Promise<void> {
    if (running < maxRunning) {
      running++;
      return;
    }
    const own = waiting.get(caller) ?? [];
    if (own.length >= maxPerCaller || (own.length === 0 && waiting.size >= maxCallers)) refuse();
    waiting.set(caller, own);
    await new Promise<void>((start) => own.push(start));
  }

  return async (caller, work) => {
    await waitForTurn(caller);
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}
