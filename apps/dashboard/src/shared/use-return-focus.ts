import { useLayoutEffect } from 'react';

/**
 * For a dialog that is there only while it is open: what had the focus before gets it back. Of two dialogs of which one
 * follows the other, the second gives it back to where the first was opened: the first one's end runs before.
 */
export function useReturnFocus(): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
}
