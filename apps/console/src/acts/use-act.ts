import { notifications } from '@mantine/notifications';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { useMutation } from '@tanstack/react-query';
import type { ActProps } from './act-props.ts';
import { readConflict } from './conflict.ts';

/** Lists and pages that an act may change. */
const READ_AGAIN = [['inbox'], ['shipment'], ['merchant'], ['driver']];

/** Runs an act, shows its result, and reads inbox and pages again whether or not it succeeded. */
export function useAct<Values, Answer>(
  { onDone, onConflict }: Pick<ActProps, 'onDone' | 'onConflict'>,
  act: (values: Values) => Promise<Answer>,
  done: (answer: Answer, values: Values) => string,
) {
  return useMutation({
    mutationFn: act,
    onSuccess: (answer, values) => {
      notifications.show({ color: 'green', message: done(answer, values) });
      onDone();
    },
    onError: (error) => {
      const conflict = readConflict(error);
      if (conflict) onConflict(conflict);
    },
    onSettled: () => Promise.all(READ_AGAIN.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
