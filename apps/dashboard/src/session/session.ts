import type { Need } from '@navette/contract';
import { createSession } from '@navette/ui/session/create-session.ts';
import { call, setCsrfToken } from '../api/call.ts';

export const { sessionQuery, enterSession, renewSession, requireSession, useSession } = createSession(
  () => call('readSession'),
  setCsrfToken,
);

/** Checks permissions of the member's role: `const may = useMay(); may('ship')`. */
export function useMay(): (need: Need) => boolean {
  const { may } = useSession();
  return (need) => may.includes(need);
}
