import type { BoardShipment } from '@navette/contract';
import { useRef } from 'react';
import { usePageKeys } from '../../keys/use-page-keys.ts';
import type { BoardFilter } from './board-filter.ts';
import type { Chosen, Selection } from './use-selection.ts';

interface Options {
  rows: readonly BoardShipment[];
  activeId: string | null;
  selection: Selection;
  isDialogOpen: boolean;
  setActive: (id: string) => void;
  onAssign: (shipments: Chosen[]) => void;
  onOpenPage: (id: string) => void;
  onUndo: () => void;
  onList: (list: BoardFilter['list']) => void;
  onSearchDriver: () => void;
  onSheet: () => void;
}

/** Keys of the whole page while no dialog is open. */
export function useDispatchKeys(options: Options): void {
  const { rows, activeId, selection, isDialogOpen } = options;

  const at = rows.findIndex(({ id }) => id === activeId);
  const active = rows[at];
  const place = useRef(0); // of the active row, also after it has left the list
  if (at >= 0) place.current = at;
  const move = (by: 1 | -1, isExtending: boolean) => {
    const wanted = at < 0 ? place.current : at + by;
    const next = rows[Math.min(Math.max(wanted, 0), rows.length - 1)];
    if (!next) return;
    if (isExtending) selection.set(active ? [active, next] : [next], true);
    options.setActive(next.id);
    document.getElementById('board-shipments')?.focus({ preventScroll: true });
  };
  const chosen = selection.all.length > 0 ? selection.all : active ? [active] : [];

  /** Undefined: the key means nothing here, and the browser handles it. */
  const actOf = ({ key, shiftKey }: KeyboardEvent, isOnButton: boolean): (() => void) | undefined => {
    if (key === 'j' || key === 'J') return () => move(1, shiftKey);
    if (key === 'k' || key === 'K') return () => move(-1, shiftKey);
    if (key === 'z') return options.onUndo;
    if (key === '1') return () => options.onList('unassigned');
    if (key === '2') return () => options.onList('slots');
    if (key === '/') return options.onSearchDriver;
    if (key === '?') return options.onSheet;
    if (key === 'Escape' && selection.all.length > 0) return selection.clear;
    // On a button or link, these keys mean that button or link.
    if (isOnButton) return undefined;
    if (key === 'ArrowDown') return () => move(1, shiftKey);
    if (key === 'ArrowUp') return () => move(-1, shiftKey);
    if ((key === ' ' || key === 'x') && active) return () => selection.toggle(active);
    if ((key === 'a' || key === 'Enter') && chosen.length > 0) return () => options.onAssign(chosen);
    return key === 'o' && active ? () => options.onOpenPage(active.id) : undefined;
  };

  usePageKeys(isDialogOpen, actOf);
}
