/**
 * Runs `compute` at most once at a time, and not again until `forMs` after it has ended. Calls in between share its
 * result or its failure, so frequent calls cost one computation per interval. `forget` ends the sharing: the next call
 * computes again.
 */
export function shareResult<Result>(
  forMs: number,
  compute: () => Promise<Result>,
): (() => Promise<Result>) & { forget: () => void } {
  let shared: { result: Promise<Result>; endedAt: number } | undefined;
  const read = () => {
    if (shared && performance.now() - shared.endedAt <= forMs) return shared.result;
    const started = { result: compute(), endedAt: Number.POSITIVE_INFINITY };
    const end = () => {
      started.endedAt = performance.now();
    };
    started.result.then(end, end);
    shared = started;
    return started.result;
  };
  const forget = () => {
    shared = undefined;
  };
  return Object.assign(read, { forget });
}
