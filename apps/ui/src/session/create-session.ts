import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { ApiError } from '../api-error.ts';

const FRESH_FOR_MS = 60_000; // the server enforces roles; this only decides which buttons are shown

/** The session of an app: read once, kept in the query cache. `setCsrfToken` receives the token of every session read. */
export function createSession<Session extends { csrfToken: string }>(
  read: () => Promise<Session>,
  setCsrfToken: (token: string) => void,
) {
  const sessionQuery = queryOptions({
    queryKey: ['session'],
    queryFn: async (): Promise<Session> => {
      const session = await read();
      setCsrfToken(session.csrfToken);
      return session;
    },
    staleTime: FRESH_FOR_MS,
  });
  return {
    sessionQuery,
    /** Stores the session of a sign-in, and clears everything that was cached for another person. */
    enterSession: (session: Session): void => {
      queryClient.clear();
      setCsrfToken(session.csrfToken);
      queryClient.setQueryData<Session>(['session'], session);
    },
    /** Reads the session again, after changes to its cookie, its CSRF token or the person's name. */
    renewSession: () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined),
    /** Reads the session for a page that needs one; without a session, the sign-in page leads back to `href`. */
    requireSession: async (href: string): Promise<Session> => {
      try {
        return await queryClient.ensureQueryData(sessionQuery);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 401)) throw error;
        throw redirect({ to: '/sign-in', search: { next: href } } as never);
      }
    },
    /** The current session. Only for pages that need one. */
    useSession: () => useSuspenseQuery(sessionQuery).data,
  };
}
