import type { NavetteError } from './errors.ts';

export interface RetrySettings {
  /** Retries after failures; waiting for the end of a rate-limit window does not count. */
  retries: number;
  /** Base of the exponential backoff. */
  backoffMs: number;
}

/** How far an operation may be repeated. */
export interface Repeatable {
  /** Sending it twice has the effect of sending it once. */
  isIdempotent: boolean;
  /** A 400 with a message only may be an internal failure: the contract has this for create and quote. */
  mayFailAs400?: boolean;
}

const MOST_BACKOFF_MS = 8_000;
/** Most 400s with a message only are refusals, which a retry does not change. */
const MOST_RETRIES_OF_400 = 2;
const MOST_WINDOW_MS = 61_000; // the minute window, and the second by which both clocks are rounded
const SPREAD_MS = 1_000; // clients that wait for one window do not all send in the same instant

/** Milliseconds until the next attempt, or null when the failure is final. `failed` counts the failed attempts. */
export function delayBeforeRetry(
  error: NavetteError,
  operation: Repeatable,
  failed: number,
  settings: RetrySettings,
  headers: Headers | undefined,
): number | null {
  const { slug, status } = error;
  const backoff = Math.min(settings.backoffMs * 2 ** (failed - 1), MOST_BACKOFF_MS) * (0.5 + Math.random() / 2);
  if (slug === 'aborted') return null;
  if (status === 429) {
    if (error.window === 'minute') return Math.max(untilReset(headers), 0) + Math.random() * SPREAD_MS + backoff;
    return error.window === null && failed <= settings.retries ? backoff : null; // a proxy's own limit has no window
  }
  const isInternal = operation.mayFailAs400 && status === 400 && (slug === 'refused' || slug === 'unreadable');
  if (isInternal) return failed <= Math.min(settings.retries, MOST_RETRIES_OF_400) ? backoff : null;
  return isOutcomeUnknown(error) && operation.isIdempotent && failed <= settings.retries ? backoff : null;
}

/** The request may have had its effect, or not: no response, a response of somebody else, or a failure of the server. */
export function isOutcomeUnknown({ slug, status }: NavetteError): boolean {
  if (status === null) return slug === 'network' || slug === 'timeout';
  return status >= 500 || status === 408 || (slug === 'unreadable' && status < 300);
}

/** Measured on the server's clock (`Date`), because the client's may be wrong. */
function untilReset(headers: Headers | undefined): number {
  const reset = Number(headers?.get('x-ratelimit-reset')) * 1000;
  const serverNow = Date.parse(headers?.get('date') ?? '') || Date.now();
  return reset > 0 ? Math.min(reset - serverNow, MOST_WINDOW_MS) : 0;
}
