import { createPersonApi } from '@navette/ui/session/create-person-api.ts';
import { call } from '../api/call.ts';
import { enterSession, renewSession, useSession } from './session.ts';

/** Sign-in and profile of a staff member, for the shared pages. */
export const staffApi = createPersonApi({ call, usePerson: () => useSession().staff, enterSession, renewSession });
