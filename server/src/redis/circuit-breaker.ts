const FAILURES_TO_OPEN = 3; // in a row
const PROBE_EVERY_MS = 1_000;

export interface CircuitBreaker {
  /** Whether a call may be made now. While the breaker is open, one call per second is a probe. */
  permits(): boolean;
  recordSuccess(): void;
  recordFailure(): void;
}

/** Opens after a few failures in a row, so that callers do not wait for a server that does not answer. */
export function createCircuitBreaker(now: () => number = Date.now): CircuitBreaker {
  let failures = 0;
  let probeAt = 0;
  return {
    permits() {
      if (failures < FAILURES_TO_OPEN) return true;
      if (now() < probeAt) return false;
      probeAt = now() + PROBE_EVERY_MS;
      return true;
    },
    recordSuccess() {
      failures = 0;
    },
    recordFailure() {
      failures++;
      if (failures === FAILURES_TO_OPEN) probeAt = now() + PROBE_EVERY_MS;
    },
  };
}
