import { useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  /** With shift, everything between the last one and this one follows it. */
  toggle: (id: string, withShift: boolean) => void;
  toggleAll: () => void;
  clear: () => void;
}

/** Rows a person ticked among those shown, in the order of the list. */
export function useSelection(shown: readonly string[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);

  return {
    ids,
    toggle(id, withShift) {
      const chosen = withShift ? between(shown, last, id) : [id];
      const ticks = !ids.has(id);
      const next = new Set(ids);
      for (const one of chosen) next[ticks ? 'add' : 'delete'](one);
      setIds(next);
      setLast(id);
    },
    toggleAll: () => setIds(shown.every((id) => ids.has(id)) ? new Set() : new Set(shown)),
    clear: () => setIds(new Set()),
  };
}

function between(shown: readonly string[], from: string | null, to: string): readonly string[] {
  const ends = [shown.indexOf(from ?? to), shown.indexOf(to)] as const;
  if (ends.includes(-1)) return [to];
  return shown.slice(Math.min(...ends), Math.max(...ends) + 1);
}
