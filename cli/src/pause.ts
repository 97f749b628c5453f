import { setTimeout as wait } from 'node:timers/promises';

/** Ends early, without an error, when the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => undefined);
