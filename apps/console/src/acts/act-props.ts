import type { Conflict } from './conflict.ts';

/** An act on one thing: from an entry of the inbox, or from the page of that thing. */
export interface ActProps {
  subject: { id: string; title: string; version: string | null };
  /** The reason of the inbox entry; null on a page that shows the facts itself. */
  why: string | null;
  onDone: () => void;
  /** Somebody was first: also shown on the row. */
  onConflict: (conflict: Conflict) => void;
}
