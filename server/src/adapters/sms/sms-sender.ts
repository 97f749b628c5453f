import type { SendOutcome } from '../send-outcome.ts';

export interface Sms {
  /** International form: + and digits. */
  to: string;
  text: string;
}

/** Whoever carries short messages. It never throws for what a carrier or a network may do. */
export interface SmsSender {
  readonly provider: string;
  send(sms: Sms): Promise<SendOutcome>;
  /**
   * After an attempt whose answer was lost: the id under which the provider has this very message, or null when it has
   * none; throws when it cannot say now. Absent where a provider cannot be asked.
   */
  find?(sms: Sms): Promise<string | null>;
  /** Throws unless messages could be handed over now. Sends nothing. */
  check(): Promise<void>;
  close(): Promise<void>;
}
