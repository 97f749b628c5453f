import { useState } from 'react';
import type { ShipmentLine } from '../shipments-queries.ts';

export interface Selection {
  ids: ReadonlySet<string>;
  /** With shift, selects or deselects the range from the last toggled line. */
  toggle: (id: string, withShift: boolean) => void;
  toggleAll: () => void;
  clear: () => void;
}

/** Only lines with a label can be selected. Erased shipments have none. */
export const hasLabel = ({ personalDataErasedAt }: ShipmentLine) => personalDataErasedAt === null;

export const isEachTicked = (lines: readonly ShipmentLine[], { ids }: Selection) =>
  ids.size > 0 && lines.filter(hasLabel).every(({ id }) => ids.has(id));

/** The selected lines among those shown, in the order of the list. */
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
