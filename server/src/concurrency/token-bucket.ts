export interface TokenBucket {
  /** False when the bucket is empty. */
  take(): boolean;
}

/** Allows `burst` at once and `perMinute` in the long run. A refused attempt takes no token. */
export function createTokenBucket(
  { burst, perMinute }: { burst: number; perMinute: number },
  now: () => number = () => performance.now(),
): TokenBucket {
  let tokens = burst;
  let filledAt = now();
  return {
    take() {
      const at = now();
      tokens = Math.min(burst, tokens + ((at - filledAt) * perMinute) / 60_000);
      filledAt = at;
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
  };
}
