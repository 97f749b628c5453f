import type { InboxChange, InboxEntry } from '@navette/contract';

/** The dialog that is open. */
export type OpenDialog = { name: 'keys' } | { name: 'act' | 'snooze' | 'resolve'; entry: InboxEntry };

/** Changes an entry on behalf of its row, a key or a dialog. */
export type ChangeRow = (entry: InboxEntry, change: Omit<InboxChange, 'version'>) => Promise<void>;
