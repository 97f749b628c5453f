import { useCallback, useEffect, useRef, useState } from 'react';

/** Ids of the visible elements, among those passed to `watch` with a `data-id`. */
export function useRowsOnScreen(): { onScreen: readonly string[]; watch: (element: Element | null) => () => void } {
  const [onScreen, setOnScreen] = useState<readonly string[]>([]);
  const observer = useRef<IntersectionObserver | null>(null);

  const watcher = useCallback(() => {
    observer.current ??= new IntersectionObserver((changes) => {
      setOnScreen((before) => {
        const now = new Set(before);
        for (const { target, isIntersecting } of changes) {
          const id = (target as HTMLElement).dataset.id;
          if (id) now[isIntersecting ? 'add' : 'delete'](id);
        }
        return [...now].sort();
      });
    });
    return observer.current;
  }, []);

  useEffect(() => () => observer.current?.disconnect(), []);

  const watch = useCallback(
    (element: Element | null) => {
      if (element) watcher().observe(element);
      return () => {
        if (element) observer.current?.unobserve(element);
      };
    },
    [watcher],
  );
  return { onScreen, watch };
}
