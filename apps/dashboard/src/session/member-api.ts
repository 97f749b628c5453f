import { queryClient } from '@navette/ui/api/query-client.ts';
import { createPersonApi } from '@navette/ui/session/create-person-api.ts';
import { call } from '../api/call.ts';
import { sessionsQuery } from '../pages/profile/sessions-query.ts';
import { enterSession, renewSession, useSession } from './session.ts';

/** Sign-in and profile of a member, for the shared pages. */
export const memberApi = createPersonApi({
  call,
  usePerson: () => useSession().member,
  enterSession,
  renewSession,
  onOthersEnded: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
});
