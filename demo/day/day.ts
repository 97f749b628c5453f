import type { Book } from './book.ts';
import type { Chance } from './chance.ts';
import type { Eavesdropper } from './eavesdropper.ts';
import type { Merchant } from './merchant.ts';
import type { Operator } from './operator.ts';
import type { Patience } from './patience.ts';
import type { Post } from './post.ts';
import type { Recipients } from './recipients.ts';

export interface DayOptions {
  shipments: number;
  drivers: number;
  seed: number;
  /** Processes are killed, one after the other. */
  kill: boolean;
  killEveryMs: number;
  /** So often; all day long when infinite. */
  mostKills: number;
  /**
   * What waits for a time is due on a whole minute. When that is further away, it is due at once, and the merchant with an
   * agreed pickup time, which must lie ahead, orders nothing.
   */
  mostSecondsToRush: number;
}

/** What everybody in the day shares. */
export interface Day {
  options: DayOptions;
  book: Book;
  chance: Chance;
  patience: Patience;
  merchants: Merchant[];
  operator: Operator;
  post: Post;
  recipients: Recipients;
  eavesdropper: Eavesdropper;
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
  /** No shipment is left to be delivered: drivers go home. */
  isOver(): boolean;
}
