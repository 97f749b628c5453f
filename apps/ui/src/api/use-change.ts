import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { useExplainError } from './use-explain-error.ts';

interface Options<Values> {
  change: (values: Values) => Promise<unknown>;
  /** The notification after it succeeded. */
  done: (values: Values) => string;
  /** Read again, whether or not the change succeeded. */
  queryKey: QueryKey;
}

/** A change without a form: its result is shown as a notification. */
export function useChange<Values>({ change, done, queryKey }: Options<Values>) {
  const explain = useExplainError();
  return useMutation({
    mutationFn: change,
    onSuccess: (_answer, values) => notifications.show({ color: 'green', message: done(values) }),
    onError: (error) => notifications.show({ color: 'red', message: explain(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
