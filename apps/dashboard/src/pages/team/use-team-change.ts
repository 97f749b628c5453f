import { useChange } from '@navette/ui/api/use-change.ts';
import { teamQuery } from './team-queries.ts';

/** Changes the team, shows a notification, and reloads the team whether or not the change succeeded. */
export function useTeamChange<Values>(change: (values: Values) => Promise<unknown>, done: (values: Values) => string) {
  return useChange({ change, done, queryKey: teamQuery.queryKey });
}
