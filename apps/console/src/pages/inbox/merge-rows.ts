import type { InboxEntry } from '@navette/contract';

export interface Row {
  entry: InboxEntry;
  /** No longer in the list: shown in its place, so that nothing moves below the pointer. */
  isGone: boolean;
}

interface Refresh {
  shown: Row[];
  /** The first entries of the list. */
  latest: InboxEntry[];
  /** Keys of the whole list. */
  keys: readonly string[];
  selectedKey: string | null;
  /** The person is about to click or press a key: rows keep their places and new ones wait. */
  isFrozen: boolean;
}

/**
 * The rows after a refresh. Frozen, every row keeps its place, and new entries are held back. Otherwise the server's order
 * applies; only the selected row stays although its entry has ended, to say so.
 */
export function mergeRows({ shown, latest, keys, selectedKey, isFrozen }: Refresh): Row[] {
  const byKey = new Map(latest.map((entry) => [entry.key, entry]));
  const listed = new Set(keys);
  const refreshed = ({ entry }: Row): Row => ({ entry: byKey.get(entry.key) ?? entry, isGone: !listed.has(entry.key) });
  if (isFrozen && shown.length > 0) return shown.map(refreshed);
  const rows = latest.map((entry) => ({ entry, isGone: false }));
  const at = shown.findIndex(({ entry }) => entry.key === selectedKey);
  const selected = shown[at];
  if (selected && !byKey.has(selected.entry.key)) rows.splice(at, 0, refreshed(selected));
  return rows;
}

/** New entries that are not shown yet. */
export function countHeld(shown: Row[], latest: InboxEntry[]): number {
  const keys = new Set(shown.map(({ entry }) => entry.key));
  return latest.filter(({ key }) => !keys.has(key)).length;
}
