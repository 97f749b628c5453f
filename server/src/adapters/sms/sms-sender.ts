import type { SendOutcome } from '../send-outcome.ts';

export interface Sms {
  /** International form: + and digits. */
  to: string;
  text: string;
}

/** An SMS provider. `send` never throws for failures of the provider or the network. */
export interface SmsSender {
  readonly provider: string;
  send(sms: Sms): Promise<SendOutcome>;
  /**
   * For an attempt whose response was lost: the provider's id of this message, or null when the provider does not have it.
   * Throws when the provider is unreachable. Absent for protocols without such a query.
   */
  find?(sms: Sms): Promise<string | null>;
  /** Throws unless the provider would accept messages now. Sends nothing. */
  check(): Promise<void>;
  close(): Promise<void>;
}
