/**
 * The outcome of one attempt to send a message. A reason contains codes only, never the text of a provider, which often
 * includes the number or the address.
 */
export type SendOutcome =
  | { kind: 'accepted'; providerId: string | null }
  /** Permanent: the same message would be refused again. */
  | { kind: 'refused'; reason: string }
  /** Not accepted, and worth a retry. */
  | { kind: 'postponed'; reason: string; retryAfterMs?: number }
  /** The response was lost: the message may have been accepted. */
  | { kind: 'unknown'; reason: string };
