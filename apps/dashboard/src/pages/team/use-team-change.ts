import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { useExplainError } from '../../api/use-explain-error.ts';
import { teamQuery } from './team-queries.ts';

/** Does something to the team, says so, and reads the team again whatever came of it. */
export function useTeamChange<Values>(change: (values: Values) => Promise<unknown>, done: (values: Values) => string) {
  const explain = useExplainError();
  return useMutation({
    mutationFn: change,
    onSuccess: (_answer, values) => notifications.show({ color: 'green', message: done(values) }),
    onError: (error) => notifications.show({ color: 'red', message: explain(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: teamQuery.queryKey }),
  });
}
