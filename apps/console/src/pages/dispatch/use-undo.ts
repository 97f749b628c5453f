import { notifications } from '@mantine/notifications';
import type { AssignmentResult } from '@navette/contract';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { Assigned } from './assigned.ts';
import { readAgain } from './read-again.ts';

interface Undoable {
  commandId: string;
  driver: string;
  count: number;
  /** By the clock of this window, which counts from the answer: the server's clock may differ. */
  endsAt: number;
}

const TICK_MS = 200;

/** The latest assignment, for as long as it can be undone. */
export function useUndo(onRefused: (results: AssignmentResult[]) => void) {
  const { t } = useTranslation('dispatch');
  const explain = useExplainError();
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  const [now, setNow] = useState(() => performance.now());
  const mutation = useMutation({
    mutationFn: ({ commandId }: Undoable) => call('undoAssignments', { params: { id: commandId } }),
    onSuccess: ({ results }, { commandId }) => {
      setUndoable((latest) => (latest?.commandId === commandId ? null : latest));
      if (results.every(({ outcome }) => outcome === 'done')) {
        notifications.show({ color: 'green', message: t('undo.done', { count: results.length }) });
      } else onRefused(results);
    },
    onError: (error) => notifications.show({ color: 'red', message: explain(error) }),
    // Not awaited: after a failure it can be tried again at once, until the time is over.
    onSettled: () => void readAgain(queryClient),
  });

  useEffect(() => {
    if (!undoable) return undefined;
    const timer = setInterval(() => {
      setNow(performance.now());
      if (performance.now() >= undoable.endsAt) setUndoable(null);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [undoable]);

  return {
    undoable,
    secondsLeft: undoable ? Math.max(0, Math.ceil((undoable.endsAt - now) / 1_000)) : 0,
    isUndoing: mutation.isPending,
    offer: ({ commandId, driver, answer }: Assigned) => {
      const { undoUntil, at, results } = answer;
      const count = results.filter(({ outcome }) => outcome === 'done').length;
      if (!undoUntil || count === 0) return;
      const start = performance.now();
      setNow(start);
      setUndoable({ commandId, driver: driver.name, count, endsAt: start + Date.parse(undoUntil) - Date.parse(at) });
    },
    undo: () => {
      if (undoable && !mutation.isPending) mutation.mutate(undoable);
    },
  };
}
export type Undo = ReturnType<typeof useUndo>;
