import { vi } from 'vitest';

const WAIT = { timeout: 240_000, interval: 30 };

/** Waits until the check passes. `vi.waitFor` gives up after a second by default, which a busy machine exceeds. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> => vi.waitFor(check, WAIT);
