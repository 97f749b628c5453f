import type { InboxEntry } from '@navette/contract';

/** An act that exists for an entry of the inbox only. */
export interface EntryActProps {
  entry: InboxEntry;
  onDone: () => void;
}
