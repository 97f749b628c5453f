import { useLayoutEffect } from 'react';

/**
 * For a dialog that is mounted only while it is open: restores the focus when it unmounts. When one dialog replaces
 * another, the focus returns to the element that opened the first: the cleanup of the first runs before the second mounts.
 */
export function useReturnFocus(): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
}
