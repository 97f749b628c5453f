import type { Traced } from '../../observability/trace-context.ts';
import type { ReservedMessage, SmsBudget } from './reserve-attempt.ts';
import type { AtOnce } from './write-messages.ts';

/**
 * As many as the process sends for jobs. A provider that responds slowly, or a burst, leaves the rest to jobs. Two batches of
 * changes that are written at the same time may begin twice as many.
 */
const MAX_SENDING = 40;

/** Sends messages that the caller has inserted as reserved, without jobs: a job would cost more than the rest of the work. */
export interface SendingAtOnce {
  /** For messages that are inserted now. */
  reserve(): AtOnce;
  /** Call it after the commit. A message whose attempt does not end, since the process dies, gets a job later. */
  begin(messages: Traced<ReservedMessage>[]): void;
  /** From now on messages get jobs. Those that were inserted before may still begin. */
  stop(): void;
  /** Resolves when the attempts under way have ended. */
  ended(): Promise<void>;
}

export interface SendingOptions {
  budget: SmsBudget;
  now: () => Date;
  /** Makes an attempt. A failure is logged. */
  send: (message: Traced<ReservedMessage>) => Promise<void>;
}

export function createSendingAtOnce({ budget, now, send }: SendingOptions): SendingAtOnce {
  const sending = new Set<Promise<void>>();
  let isStopping = false;
  return {
    reserve: () => ({ ...budget, most: isStopping ? 0 : Math.max(0, MAX_SENDING - sending.size), at: now() }),
    begin(messages) {
      for (const message of messages) {
        const attempt = send(message)
          .catch(() => {})
          .finally(() => sending.delete(attempt));
        sending.add(attempt);
      }
    },
    stop() {
      isStopping = true;
    },
    async ended() {
      while (sending.size > 0) await Promise.all(sending);
    },
  };
}
