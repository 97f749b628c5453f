import { notifications } from '@mantine/notifications';
import type { InboxChange, InboxEntry } from '@navette/contract';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Conflict, readConflict } from '../../acts/conflict.ts';
import { call } from '../../api/call.ts';

type Change = Omit<InboxChange, 'version'>;

/** Takes, releases, snoozes, resolves or reopens an entry. A refusal because somebody was first is shown on the row. */
export function useChangeEntry(onChanged: (entry: InboxEntry) => void) {
  const explain = useExplainError();
  const [conflicts, setConflicts] = useState<Record<string, Conflict>>({});
  const note = (key: string, conflict: Conflict | null) =>
    setConflicts(({ [key]: _before, ...others }) => (conflict ? { ...others, [key]: conflict } : others));
  const mutation = useMutation({
    mutationFn: ({ entry, change }: { entry: InboxEntry; change: Change }) =>
      call('changeInboxEntry', { params: { key: entry.key }, body: { ...change, version: entry.version } }),
    onSuccess: ({ entry }) => {
      note(entry.key, null);
      onChanged(entry);
    },
    onError: (error, { entry }) => {
      const conflict = readConflict(error);
      if (conflict) note(entry.key, conflict);
      else notifications.show({ color: 'red', message: explain(error) });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['inbox'] }),
  });
  return {
    change: (entry: InboxEntry, change: Change) => mutation.mutateAsync({ entry, change }).catch(() => undefined),
    busyKey: mutation.isPending ? mutation.variables.entry.key : null,
    conflicts,
    /** For a refusal of the entry's next act. */
    note,
  };
}
export type ChangeEntry = ReturnType<typeof useChangeEntry>;
