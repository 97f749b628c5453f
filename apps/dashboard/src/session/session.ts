import type { Need, SessionAnswer } from '@navette/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call, setCsrfToken } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await call('readSession');
    setCsrfToken(session.csrfToken);
    return session;
  },
  staleTime: 60_000, // roles are the server's to enforce; this only decides which buttons show
});

/** What signing in answered: everything that was read as somebody else is forgotten. */
export function enterSession(session: SessionAnswer): void {
  queryClient.clear();
  setCsrfToken(session.csrfToken);
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** After what gives the session a new cookie and token, or the member another name. */
export const renewSession = () => queryClient.refetchQueries({ queryKey: sessionQuery.queryKey });

/** Who is signed in, on every page behind the sign-in. */
export const useSession = () => useSuspenseQuery(sessionQuery).data;

/** Whether the member's role allows it: `const may = useMay(); may('ship')`. */
export function useMay(): (need: Need) => boolean {
  const { may } = useSession();
  return (need) => may.includes(need);
}
