import { useEffect, useRef } from 'react';

const CHOICE = 'input[type="radio"], input[type="checkbox"]';
const EDITABLE = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"]';
const CLICKABLE = 'a, button, [role="menuitem"]';

/**
 * Keys of the whole page, except in fields, menus and dialogs. `actOf` returns undefined for a key that means nothing: the
 * browser handles it. On a button or link, some keys mean that button or link.
 */
export function usePageKeys(
  isDialogOpen: boolean,
  actOf: (event: KeyboardEvent, isOnButton: boolean) => (() => void) | undefined,
): void {
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (isDialogOpen || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches(CHOICE) && (event.key === ' ' || event.key.startsWith('Arrow'))) return;
    if (target.closest(EDITABLE) || target.closest('[role="dialog"], [role="menu"]')) return;
    const act = actOf(event, target.closest(CLICKABLE) !== null);
    if (!act) return;
    event.preventDefault();
    act();
  };
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const handle = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, []);
}
