import type { Need } from '@navette/contract';
import { createSession } from '@navette/ui/session/create-session.ts';
import { call, setCsrfToken } from '../api/call.ts';
import { followMode } from './mode.ts';

export const { sessionQuery, enterSession, renewSession, requireSession, useSession } = createSession(async () => {
  const session = await call('readSession');
  followMode(session.mode);
  return session;
}, setCsrfToken);

/** Checks permissions of the member's role: `const may = useMay(); may('ship')`. A view of staff may only read. */
export function useMay(): (need: Need) => boolean {
  const { may, view } = useSession();
  return (need) => may.includes(need) && (view === null || need === 'read');
}

/** The same for pages and entries of the navigation, all of which a view may see. */
export function useMaySee(): (need: Need) => boolean {
  const { may } = useSession();
  return (need) => may.includes(need);
}
