import type { StaffNeed } from '@navette/contract';
import { createSession } from '@navette/ui/session/create-session.ts';
import { call, setCsrfToken } from '../api/call.ts';

export const { sessionQuery, enterSession, renewSession, requireSession, useSession } = createSession(
  () => call('readSession'),
  setCsrfToken,
);

/** Checks permissions of the role: `const may = useMay(); may('dispatch')`. */
export function useMay(): (need: StaffNeed) => boolean {
  const { may } = useSession();
  return (need) => may.includes(need);
}
