/** One after the other, by key: whoever comes while another has the turn waits for its end. */
export interface Turns {
  /** Answers, once it is one's turn, with the function that ends it. */
  take(key: string): Promise<() => void>;
}

export function createTurns(): Turns {
  const lastOf = new Map<string, Promise<void>>();
  return {
    async take(key) {
      const before = lastOf.get(key);
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      lastOf.set(key, ended);
      await before;
      return () => {
        if (lastOf.get(key) === ended) lastOf.delete(key);
        end();
      };
    },
  };
}
