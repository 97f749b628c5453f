/** One holder per key at a time. Waiting callers acquire the lock in the order of their calls. */
export interface KeyedMutex {
  /** Resolves with the function that releases the lock. */
  acquire(key: string): Promise<() => void>;
}

export function createKeyedMutex(): KeyedMutex {
  const lastHolders = new Map<string, Promise<void>>();
  return {
    async acquire(key) {
      const previous = lastHolders.get(key);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      lastHolders.set(key, released);
      await previous;
      return () => {
        if (lastHolders.get(key) === released) lastHolders.delete(key);
        release();
      };
    },
  };
}
