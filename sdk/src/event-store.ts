/** Remembers which events were handled. Share one store between all processes: a table or Redis. */
export interface EventStore {
  /** Returns true for one caller per key, atomically: `insert … on conflict do nothing`, or `SET NX`. */
  claim(key: string): boolean | Promise<boolean>;
  /** The handler has finished. A claim that never gets here may be given again after a while: its process has died. */
  done(key: string): unknown;
  /** The handler has failed: the next `claim` returns true again. */
  release(key: string): unknown;
}

/** Keeps the latest keys of this process. For development, and for one process whose handlers are idempotent. */
export function memoryStore(max = 10_000): EventStore {
  const keys = new Set<string>();
  return {
    claim(key) {
      if (keys.has(key)) return false;
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > max && oldest !== undefined) keys.delete(oldest);
      return true;
    },
    done() {},
    release: (key) => keys.delete(key),
  };
}
