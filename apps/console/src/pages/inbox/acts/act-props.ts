import type { InboxEntry } from '@navette/contract';
import type { Conflict } from '../conflict.ts';

export interface ActProps {
  entry: InboxEntry;
  onDone: () => void;
  /** Somebody was first: also shown on the row. */
  onConflict: (conflict: Conflict) => void;
}
