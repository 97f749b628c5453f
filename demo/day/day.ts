import type { Chance } from './chance.ts';
import type { Journal } from './journal.ts';
import type { LeakDetector } from './leak-detector.ts';
import type { Merchant } from './merchant.ts';
import type { Operator } from './operator.ts';
import type { OperatorRecords } from './operator-records.ts';
import type { Patience } from './patience.ts';
import type { Post } from './post.ts';
import type { Recipients } from './recipients.ts';

export interface DayOptions {
  shipments: number;
  drivers: number;
  seed: number;
  /** How long orders come in; null: as long as a day of this size needs. */
  minutes: number | null;
  /** `kills`: of processes, one after the other. `all`: PostgreSQL, Redis and the providers fail too. */
  faults: 'none' | 'kills' | 'all';
  faultEveryMs: number;
  /** The maximum number of faults; infinite: all day long. */
  mostFaults: number;
  /**
   * Scheduled shipments are due on a whole minute. When it is more than this many seconds away, they are due at once, and
   * the merchant with an agreed pickup time, which must be in the future, orders nothing.
   */
  mostSecondsToRush: number;
}

/** The shared context of all clients. */
export interface Day {
  options: DayOptions;
  journal: Journal;
  chance: Chance;
  patience: Patience;
  merchants: Merchant[];
  operator: Operator;
  operatorRecords: OperatorRecords;
  post: Post;
  recipients: Recipients;
  leakDetector: LeakDetector;
  /** Counted for the summary. */
  seen: {
    offers: number;
    accepted: number;
    refused: number;
    ignored: number;
    tooLate: number;
    wrongCodes: number;
    pushes: number;
    positions: number;
    pages: number;
    commands: number;
  };
  /** No shipment is left to deliver: drivers stop. */
  isOver(): boolean;
}
