import { useChange } from '@navette/ui/api/use-change.ts';
import { staffQuery } from './staff-query.ts';

/** Changes the staff, shows a notification, and reloads the list whether or not the change succeeded. */
export function useStaffChange<Values>(change: (values: Values) => Promise<unknown>, done: (values: Values) => string) {
  return useChange({ change, done, queryKey: staffQuery.queryKey });
}
