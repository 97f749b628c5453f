/**
 * How one attempt to hand a message over ended. A reason is made of codes and never repeats what a provider says, since
 * providers like to repeat the number or the address.
 */
export type SendOutcome =
  | { kind: 'accepted'; providerId: string | null }
  /** For good: the same message will be refused again. */
  | { kind: 'refused'; reason: string }
  /** Certainly not accepted, and worth another attempt. */
  | { kind: 'postponed'; reason: string; retryAfterMs?: number }
  /** The answer was lost: it may have been accepted. */
  | { kind: 'unknown'; reason: string };
