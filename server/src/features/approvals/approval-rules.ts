/** Limits of one person alone. */
export interface ApprovalRules {
  /** Credits of one person on one day; one that exceeds it needs a second person. */
  creditLimitCents: number;
  /** Deliveries that one person may confirm without a code on one day. */
  confirmationsPerDay: number;
  /** Of the delivery company: its day ends at local midnight. */
  timeZone: string;
}
