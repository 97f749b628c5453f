import { useCallback, useEffect, useState } from 'react';

export interface Loading<T> {
  data: T | null;
  error: unknown;
  isLoading: boolean;
  again: () => void;
}

/** Loads when the page opens and when `key` changes. The result of an older load is ignored. */
export function useLoad<T>(key: string, load: () => Promise<T>): Loading<T> {
  const [state, set] = useState<{ key: string; data: T | null; error: unknown; isLoading: boolean }>({
    key,
    data: null,
    error: null,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is a new function in each render; `key` names what it loads
  useEffect(() => {
    let isCurrent = true;
    set((before) => ({ key, data: before.key === key ? before.data : null, error: null, isLoading: true }));
    load().then(
      (data) => isCurrent && set({ key, data, error: null, isLoading: false }),
      (error: unknown) => isCurrent && set((before) => ({ ...before, error, isLoading: false })),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  return { ...state, again: useCallback(() => setRound((count) => count + 1), []) };
}
